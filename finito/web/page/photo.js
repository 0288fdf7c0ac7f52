// A photo of the cards turned over, counted by the referee.

import { get } from "./api.js";
import { byId, h } from "./dom.js";
import { t } from "./words.js";

const WIDEST = 2560;

export async function photoCount(onCounted, expected) {
  const decks = await get("decks").catch(() => []);
  const deck = h("select", { id: "deck" }, decks.map((name) => h("option", {}, name)));
  const file = h("input", { id: "photo", type: "file", accept: "image/*", capture: "environment", onchange: () => count(file, deck, onCounted, expected) });
  return h("fieldset", {}, h("legend", {}, t("by_photo")),
    h("label", {}, t("deck"), " ", deck), h("label", {}, t("photo"), " ", file), h("p", { id: "photo-state", role: "status" }));
}

async function count(file, deck, onCounted, expected) {
  if (!file.files.length) return;
  const tell = (text) => { byId("photo-state").textContent = text; };
  tell(t("counting"));
  try {
    const path = `/api/photos/count?deck=${encodeURIComponent(deck.value)}&expect=${expected()}`;
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: await smaller(file.files[0]) });
    const data = await answer.json();
    tell(answer.ok ? "" : data.error);
    if (answer.ok) onCounted(data);
  } catch {
    tell(t("no_photo"));
  }
  file.value = "";
}

async function smaller(photo) {
  const bitmap = await createImageBitmap(photo, { imageOrientation: "from-image" });
  const scale = Math.min(1, WIDEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d", { alpha: false }).drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}
