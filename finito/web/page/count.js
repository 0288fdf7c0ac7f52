// The end of the round: how many cards of each back lie in the centre, seen live, by photo, or by hand.

import { Refused, get, post, remove } from "./api.js";
import { byId, h, show } from "./dom.js";
import { follow } from "./feed.js";
import { photoCount } from "./photo.js";
import { pictureView } from "./picture.js";
import { questions } from "./questions.js";
import { t } from "./words.js";

const RENEW = 10000;
let expected = 0;
let following = true; // the camera fills the numbers in until a person does
let view = null;
let names = new Map();
let crop = null;

export async function build(main) {
  const table = await get("table");
  const players = table.about.match?.players || [];
  names = new Map(players.map((player) => [player.back, player.name]));
  const known = await get("table/suggestion").catch(() => ({ by_back: {}, total: 0 }));
  expected = known.total;
  crop = document.createElement("canvas");
  view = pictureView({ onPicture: keepWhole });
  show(main, h("h1", {}, t("page_count")),
    players.length ? h("form", { class: "count", onsubmit: accept },
      h("div", { class: "seen" }, view.element,
        h("p", { id: "camera-count", role: "status" }, t("count_how")),
        await photoCount(filled, () => expected, table.about.deck)),
      h("div", { class: "numbers" },
        players.map((player) => row(player, known.by_back[player.back] ?? 0)),
        h("p", { id: "sum", class: "big", role: "status" }),
        h("p", { id: "question", role: "alert" }),
        h("ol", { id: "questions", "aria-label": t("questions") }),
        h("div", { class: "buttons" },
          h("button", { class: "big", id: "accept" }, t("accept")),
          h("button", { type: "button", id: "follow", hidden: true, onclick: () => { following = true; byId("follow").hidden = true; } }, t("follow_camera"))))) : h("p", { class: "card-box" }, t("idle")));
  if (!players.length) return;
  renderSum();
  follow({ onMessage: heard, onPicture: (picture) => view.take(picture), onState: () => {} });
  setInterval(() => { if (view.shown()) look(); }, RENEW);
  addEventListener("pagehide", () => remove("looking").catch(() => {}));
}

// The picture without outlines, to cut the cards in question out of it.
function keepWhole(bitmap) {
  if (!view.shown()) look();
  crop.width = bitmap.width;
  crop.height = bitmap.height;
  crop.getContext("2d").drawImage(bitmap, 0, 0);
}

const look = () => post("looking", { job: "count", deck: byId("deck").value, expected }).catch(() => {});

function heard(message) {
  if (message.type !== "status" && message.type !== "snapshot") return;
  view.tell(message.status);
  const looking = message.status.looking;
  view.mark(looking?.job === "count" ? looking.outlines : null);
  if (looking?.job !== "count") return;
  if (looking.counts === undefined) {
    byId("camera-count").textContent = looking.problem || t("looking");
    return;
  }
  byId("camera-count").textContent = t(looking.steady ? "camera_counts" : "camera_counting").replace("{n}", looking.total).replace("{of}", expected);
  if (!following) return;
  fill(looking.counts);
  questions(byId("questions"), looking.questions, { nameOf, crop, answer });
}

const nameOf = (back) => names.get(back) || back;

function fill(counts) {
  for (const back of names.keys()) byId(`cards-${back}`).value = counts[back] ?? 0;
  renderSum();
}

// A person has said whose card it is.
function answer(back) {
  byPerson();
  if (back) step(byId(`cards-${back}`), 1);
}

function byPerson() {
  following = false;
  byId("follow").hidden = !view.shown();
}

function step(input, by) {
  input.value = Math.min(36, Math.max(0, Number(input.value) + by));
  renderSum();
}

function row(player, cards) {
  const input = h("input", { type: "number", min: 0, max: 36, value: cards, "data-back": player.back, oninput: () => { byPerson(); renderSum(); }, id: `cards-${player.back}` });
  const button = (by, sign) => h("button", { type: "button", onclick: () => { byPerson(); step(input, by); }, "aria-label": `${player.name} ${sign}1` }, sign);
  return h("div", { class: "row" }, h("label", { for: input.id }, player.name, player.name === player.back ? null : h("small", { class: "quiet" }, ` ${player.back}`)), button(-1, "−"), input, button(1, "+"));
}

function filled(answered) {
  if (!answered) return look(); // another deck was chosen
  byPerson();
  fill(answered.counts);
  const doubts = answered.unsure.map((doubt) => doubt.why);
  if (doubts.length) byId("question").textContent = doubts.join(" ");
}

function counted() {
  return Object.fromEntries([...document.querySelectorAll("[data-back]")].map((input) => [input.dataset.back, Number(input.value)]));
}

function renderSum() {
  const sum = Object.values(counted()).reduce((one, other) => one + other, 0);
  byId("sum").textContent = `${sum} ${t("of_expected")} ${expected}`;
  byId("question").textContent = sum === expected ? "" : t(sum < expected ? "too_few" : "too_many").replace("{n}", Math.abs(sum - expected));
}

async function accept(event) {
  event.preventDefault();
  try {
    await post("table/count", { by_back: counted() });
    location.href = "/";
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId("question").textContent = problem.message;
  }
}
