// From opening the page to the first round: every step has an answer already.

import { Refused, get, post, remove } from "./api.js";
import { byId, h, show } from "./dom.js";
import { enrolment } from "./enrol.js";
import { follow } from "./feed.js";
import { pictureView } from "./picture.js";
import { t } from "./words.js";

const EDITIONS = ["amigo-1995", "forum-1996", "escale"];
const VARIANTS = [["normalo"], ["zero"], ["chaos"], ["zero", "chaos"]];
const SEATS = ["south", "south-west", "west", "north-west", "north", "north-east", "east", "south-east"];
const RENEW = 10000;
const wanted = { job: "find", game: "espresso" };
let view = null;
let enrol = null;
let backs = [];

export async function build(main, me) {
  view = pictureView();
  const decks = await get("decks").catch(() => ["house"]);
  enrol = enrolment({ onJob: (job, game) => look(job, game), onDone: learnt });
  show(main, h("h1", {}, t("page_setup")),
    h("form", { class: "setup", onsubmit: begin },
      h("div", { class: "steps" }, cameraStep(me), deckStep(decks), playersStep(), rulesStep()),
      h("div", { class: "go" }, h("p", { id: "refused", role: "alert" }), h("button", { class: "big", id: "begin" }, t("begin")))));
  renderPlayers();
  await deckChosen();
  follow({ onMessage: heard, onPicture: (picture) => view.take(picture), onState: () => {} });
  setInterval(renew, RENEW);
  addEventListener("pagehide", () => { if (camera()) leave(); });
}

const step = (number, title, ...children) => h("fieldset", { class: "step" }, h("legend", {}, h("span", { class: "number", "aria-hidden": "true" }, number), ` ${title}`), children);

function cameraStep(me) {
  const choice = (value, text, checked) => h("label", { class: "choice" }, h("input", { type: "radio", name: "source", value, checked, onchange: sourceChosen }), " ", text);
  return step(1, t("camera"),
    choice("demo", t("source_demo"), true),
    choice("phone", t("source_phone")),
    h("div", { id: "phone-code", hidden: true },
      me.links.camera ? [h("img", { src: "/api/join/camera.svg", alt: t("phone_code"), width: 180, height: 180 }), h("p", {}, t("phone_how"), " ", h("a", { href: "/camera", target: "_blank", rel: "noopener" }, t("this_device")))] : null),
    choice("0", t("source_webcam")),
    choice("stream", t("source_stream")),
    h("input", { id: "stream", placeholder: "rtsp:", "aria-label": t("source_stream"), hidden: true, onchange: sourceChosen }),
    h("div", { id: "sees", hidden: true }, view.element, h("p", { id: "found", role: "status" }, t("no_picture"))));
}

function deckStep(decks) {
  return step(2, t("deck"),
    h("label", {}, t("deck"), " ", h("select", { id: "deck", onchange: deckChosen }, decks.map((name) => h("option", {}, name)))),
    h("button", { type: "button", id: "learn-deck", onclick: () => enrol.open() }, t("learn_deck")),
    enrol.element);
}

function playersStep() {
  return step(3, t("players"),
    h("label", {}, t("how_many"), " ", h("select", { id: "players", onchange: renderPlayers }, [2, 3, 4, 5, 6].map((number) => h("option", { selected: number === 3 }, number)))),
    h("div", { id: "names", class: "names" }));
}

function rulesStep() {
  return step(4, t("rules"),
    h("label", {}, t("variant"), " ", h("select", { id: "variant" }, VARIANTS.map((names) => h("option", { value: names.join("+") }, names.join(" + "))))),
    h("label", {}, t("edition"), " ", h("select", { id: "edition" }, EDITIONS.map((name) => h("option", {}, name)))),
    h("label", {}, t("target"), " ", h("input", { id: "target", type: "number", min: 1, max: 1000, value: 100 })),
    h("label", { class: "with-camera" }, h("input", { id: "record", type: "checkbox", checked: true }), " ", t("record")));
}

function renderPlayers() {
  const place = byId("names");
  const before = [...place.querySelectorAll(".player")].map((row) => [...row.querySelectorAll("input, select")].map((field) => field.value));
  const count = Number(byId("players").value);
  show(place, Array.from({ length: count }, (_, index) => player(index, before[index] || [])));
  document.querySelector("form.setup").classList.toggle("watched", camera() !== null);
}

const backOptions = (own) => backs.map((each) => h("option", { selected: each === own }, each));

function player(index, [name = "", back = "", seat = ""]) {
  const label = (text, field) => h("label", {}, h("span", {}, text), field);
  return h("div", { class: "player", role: "group", "aria-label": `${t("player")} ${index + 1}` },
    label(`${t("name")} ${index + 1}`, h("input", { class: "name", maxlength: 40, value: name, autocomplete: "off" })),
    h("span", { class: "with-camera" },
      label(`${t("back")} ${index + 1}`, h("select", { class: "back", "aria-label": `${t("back")} ${index + 1}` }, backOptions(back || backs[index]))),
      label(`${t("seat")} ${index + 1}`, h("select", { class: "seat", "aria-label": `${t("seat")} ${index + 1}` }, h("option", { value: "" }, t("seat_auto")), SEATS.map((each) => h("option", { value: each, selected: each === seat }, t("seat_" + each.replace("-", "_"))))))));
}

async function deckChosen() {
  const deck = byId("deck").value;
  const known = await get(`decks/${encodeURIComponent(deck)}`).catch(() => ({ backs: [] }));
  if (deck !== byId("deck").value) return; // another was chosen meanwhile
  backs = known.backs;
  // In their places: names and seats stay as they are, for somebody may be typing.
  document.querySelectorAll(".player select.back").forEach((select, index) => show(select, backOptions(backs[index])));
}

async function learnt(name) {
  const select = byId("deck");
  if (![...select.options].some((option) => option.value === name)) select.append(h("option", {}, name));
  select.value = name;
  await deckChosen();
  byId("players").value = Math.min(6, Math.max(2, backs.length));
  renderPlayers();
  look("find", "espresso");
}

// The source as the API calls it; null without a camera.
function camera() {
  const chosen = document.querySelector("input[name=source]:checked")?.value;
  if (chosen === "demo") return null;
  return chosen === "stream" ? byId("stream").value.trim() || null : chosen;
}

function sourceChosen() {
  const chosen = document.querySelector("input[name=source]:checked").value;
  byId("phone-code").hidden = chosen !== "phone";
  byId("stream").hidden = chosen !== "stream";
  byId("sees").hidden = chosen === "demo";
  byId("refused").textContent = "";
  renderPlayers();
  if (camera()) renew();
  else if (chosen === "demo") leave();
}

async function renew() {
  if (!camera()) return;
  try {
    await post("preview", { source: camera() });
    await post("looking", wanted);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId("refused").textContent = problem.message;
  }
}

function look(job, game) {
  Object.assign(wanted, { job, game });
  if (camera()) post("looking", wanted).catch(() => {});
}

function leave() {
  remove("looking").catch(() => {});
  remove("preview").catch(() => {});
}

function heard(message) {
  if (message.type !== "status" && message.type !== "snapshot") return;
  const status = message.status;
  const looking = status.looking;
  view.tell(status);
  view.mark(looking?.outlines || []);
  if (looking) enrol.heard(looking, view.shown());
  if (looking?.job === "find") byId("found").textContent = found(looking);
  else if (status.waiting) byId("found").textContent = status.waiting;
}

function found(looking) {
  if (looking.faces === undefined) return looking.problem || t("looking");
  const counts = t("found").replace("{faces}", looking.faces).replace("{backs}", looking.backs).replace("{markers}", looking.markers);
  return `${counts} ${t("plane_" + (looking.plane || "none"))}`;
}

function body() {
  const rows = [...document.querySelectorAll(".player")];
  const names = rows.map((row) => row.querySelector(".name").value.trim());
  const asked = {
    source: camera() || "demo",
    deck: byId("deck").value,
    players: rows.length,
    variant: byId("variant").value.split("+"),
    edition: byId("edition").value,
    target: Number(byId("target").value) || null,
    seed: Math.floor(Math.random() * 100000),
    record: byId("record").checked,
  };
  if (asked.source === "demo") return names.every(Boolean) ? { ...asked, names } : asked;
  asked.backs = rows.map((row) => row.querySelector(".back").value);
  asked.names = names.map((name, index) => name || asked.backs[index]);
  const seats = rows.map((row) => row.querySelector(".seat").value);
  return seats.every(Boolean) ? { ...asked, seats } : asked;
}

async function begin(event) {
  event.preventDefault();
  try {
    await post("table", body());
    location.href = "/";
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId("refused").textContent = problem.message;
  }
}
