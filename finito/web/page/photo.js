// A photo of the cards turned over, counted by the referee.

import { Refused, get, post } from "./api.js";
import { byId, h } from "./dom.js";
import { t } from "./words.js";

const WIDEST = 2560;

export async function photoCount(onCounted, expected, chosen) {
  const decks = await get("decks").catch(() => []);
  const deck = h("select", { id: "deck", onchange: () => onCounted(null) }, decks.map((name) => h("option", { selected: name === chosen }, name)));
  const file = h("input", { id: "photo", type: "file", accept: "image/*", capture: "environment", onchange: () => count(file, deck, onCounted, expected) });
  return h("fieldset", {}, h("legend", {}, t("by_photo")),
    h("label", {}, t("deck"), " ", deck), h("label", {}, t("photo"), " ", file), h("p", { id: "photo-state", role: "status" }));
}

async function count(file, deck, onCounted, expected) {
  if (!file.files.length) return;
  const tell = (text) => { byId("photo-state").textContent = text; };
  tell(t("counting"));
  try {
    onCounted(await post(`photos/count?deck=${encodeURIComponent(deck.value)}&expect=${expected()}`, await smaller(file.files[0])));
    tell("");
  } catch (problem) {
    tell(problem instanceof Refused ? problem.message : t("no_photo"));
  }
  file.value = "";
}

// As large as the referee needs it, upright, and a JPEG whatever it was.
export async function smaller(photo) {
  const bitmap = await createImageBitmap(photo, { imageOrientation: "from-image" });
  const scale = Math.min(1, WIDEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d", { alpha: false }).drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}
