// The end of the round: how many cards of each back lie in the centre.

import { Refused, get, post } from "./api.js";
import { byId, h, show } from "./dom.js";
import { photoCount } from "./photo.js";
import { t } from "./words.js";

let expected = 0;

export async function build(main) {
  const table = await get("table");
  const players = table.about.match?.players || [];
  const known = await get("table/suggestion").catch(() => ({ by_back: {}, total: 0 }));
  expected = known.total;
  show(main, h("h1", {}, t("page_count")),
    players.length ? h("form", { class: "count", onsubmit: accept },
      h("p", {}, t("count_how")),
      await photoCount(filled, () => expected),
      players.map((player) => row(player, known.by_back[player.back] ?? 0)),
      h("p", { id: "sum", class: "big", role: "status" }),
      h("p", { id: "question", role: "alert" }),
      h("button", { class: "big", id: "accept" }, t("accept"))) : h("p", { class: "card-box" }, t("idle")));
  if (players.length) renderSum();
}

function row(player, cards) {
  const input = h("input", { type: "number", min: 0, max: 36, value: cards, "data-back": player.back, oninput: renderSum, id: `cards-${player.back}` });
  const step = (by) => () => {
    input.value = Math.min(36, Math.max(0, Number(input.value) + by));
    renderSum();
  };
  return h("div", { class: "row" }, h("label", { for: input.id }, player.name),
    h("button", { type: "button", onclick: step(-1), "aria-label": `${player.name} −1` }, "−"), input,
    h("button", { type: "button", onclick: step(1), "aria-label": `${player.name} +1` }, "+"));
}

function filled(answer) {
  for (const [back, cards] of Object.entries(answer.counts)) {
    const input = byId(`cards-${back}`);
    if (input) input.value = cards;
  }
  renderSum();
  const doubts = answer.unsure.map((doubt) => doubt.why);
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
