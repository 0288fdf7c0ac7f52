// From opening the page to the first round: every step has an answer already.

import { Refused, get, post } from "./api.js";
import { byId, h, show } from "./dom.js";
import { t } from "./words.js";

const EDITIONS = ["amigo-1995", "forum-1996", "escale"];

export async function build(main, me) {
  const names = h("div", { id: "names" });
  const decks = await get("decks").catch(() => ["house"]);
  const count = h("select", { id: "players", onchange: () => renderNames(names, Number(count.value)) }, [2, 3, 4, 5, 6].map((number) => h("option", { selected: number === 3 }, number)));
  show(main, h("h1", {}, t("page_setup")),
    h("form", { class: "setup", onsubmit: (event) => begin(event, names, count) },
      h("fieldset", {}, h("legend", {}, t("camera")),
        h("label", {}, h("input", { type: "radio", name: "source", value: "demo", checked: true }), " ", t("source_demo")),
        h("label", {}, h("input", { type: "radio", name: "source", value: "phone" }), " ", t("source_phone")),
        h("label", {}, h("input", { type: "radio", name: "source", value: "0" }), " ", t("source_webcam")),
        h("label", {}, h("input", { type: "radio", name: "source", value: "stream" }), " ", t("source_stream"), " ", h("input", { id: "stream", placeholder: "rtsp:", "aria-label": t("source_stream") })),
        h("label", {}, t("deck"), " ", h("select", { id: "deck" }, decks.map((name) => h("option", {}, name)))),
        me.links.camera ? h("p", { class: "quiet" }, h("a", { href: "/join" }, t("phone_code"))) : null),
      h("fieldset", {}, h("legend", {}, t("players")), h("label", {}, t("how_many"), " ", count), names),
      h("fieldset", {}, h("legend", {}, t("rules")),
        h("label", {}, t("variant"), " ", h("select", { id: "variant" }, ["normalo", "zero", "chaos"].map((name) => h("option", {}, name)))),
        h("label", {}, t("edition"), " ", h("select", { id: "edition" }, EDITIONS.map((name) => h("option", {}, name)))),
        h("label", {}, t("target"), " ", h("input", { id: "target", type: "number", min: 1, max: 1000, value: 100 }))),
      h("p", { id: "refused", role: "alert" }),
      h("button", { class: "big", id: "begin" }, t("begin"))));
  renderNames(names, 3);
}

function renderNames(place, count) {
  const before = [...place.querySelectorAll("input")].map((input) => input.value);
  show(place, Array.from({ length: count }, (_, index) => h("label", {}, `${t("name")} ${index + 1} `, h("input", { maxlength: 40, value: before[index] || "", autocomplete: "off" }))));
}

function sourceOf(form) {
  const chosen = new FormData(form).get("source");
  return chosen === "stream" ? byId("stream").value.trim() : chosen;
}

async function begin(event, names, count) {
  event.preventDefault();
  const given = [...names.querySelectorAll("input")].map((input) => input.value.trim());
  const body = {
    source: sourceOf(event.target),
    deck: byId("deck").value,
    players: Number(count.value),
    variant: [byId("variant").value],
    edition: byId("edition").value,
    target: Number(byId("target").value) || null,
    seed: Math.floor(Math.random() * 100000),
  };
  if (given.every(Boolean)) body.names = given;
  try {
    await post("table", body);
    location.href = "/";
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId("refused").textContent = problem.message;
  }
}
