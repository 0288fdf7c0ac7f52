// Learning a deck under the camera, or from photos: what is missing is said while the cards are laid.

import { Refused, post, remove } from "./api.js";
import { h, show } from "./dom.js";
import { smaller } from "./photo.js";
import { t } from "./words.js";

const COLOURS = ["red", "yellow", "green", "blue"];
const GAMES = ["espresso", "ligretto", "dutch-blitz"];
const NAMED = 3; // missing cards that are told at once

export function enrolment({ onJob, onDone }) {
  let stage = "faces";
  let cards = 0;
  const guide = h("p", { class: "big guide", role: "status" });
  const grid = h("div", { class: "grid", "aria-hidden": "true" });
  const place = h("div", {});
  const game = h("select", { id: "game", onchange: () => onJob(stage, game.value) }, GAMES.map((name) => h("option", {}, name)));
  const element = h("section", { class: "enrol", id: "enrol", hidden: true, "aria-label": t("learn_deck") }, h("h3", {}, t("learn_deck")), h("label", {}, t("game"), " ", game), place);

  async function open() {
    element.hidden = false;
    await remove("draft").catch(() => {});
    go("faces");
  }

  function go(next) {
    stage = next;
    guide.textContent = "";
    if (stage !== "names") onJob(stage, game.value);
    show(place, stage === "names" ? naming() : taking());
  }

  function taking() {
    const file = h("input", { type: "file", accept: "image/*", capture: "environment", id: `photo-${stage}`, onchange: () => sent(file) });
    show(grid);
    return [h("p", {}, t(`enrol_${stage}`)), stage === "faces" ? grid : null, guide,
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "big", id: "take", disabled: true, onclick: () => add(() => post("draft", { side: stage, game: game.value })) }, t("take")),
        h("label", {}, t("or_photo"), " ", file),
        h("button", { type: "button", onclick: close }, t("cancel")))];
  }

  async function sent(file) {
    if (!file.files.length) return;
    guide.textContent = t("looking");
    await add(async () => post(`photos/${stage}?game=${game.value}`, await smaller(file.files[0])));
    file.value = "";
  }

  async function add(ask) {
    try {
      const state = await ask();
      cards = state.cards;
      go(stage === "faces" ? "backs" : "names");
    } catch (problem) {
      guide.textContent = problem instanceof Refused ? problem.message : t("no_photo");
    }
  }

  function naming() {
    const name = h("input", { id: "deck-name", maxlength: 60, autocomplete: "off" });
    const names = Array.from({ length: cards }, (_, index) => h("input", { class: "back-name", maxlength: 40, autocomplete: "off", "aria-label": `${t("back")} ${index + 1}` }));
    const learn = async () => {
      guide.textContent = t("learning");
      try {
        const deck = await post("decks", { name: name.value.trim(), game: game.value, names: names.map((field) => field.value.trim()) });
        show(place, h("p", { class: "big", role: "status", id: "learnt" }, t("learnt").replace("{deck}", deck.deck).replace("{faces}", deck.faces.length).replace("{backs}", deck.backs.length)),
          h("p", {}, deck.risky.length ? `${t("risky")} ${deck.risky.map((pair) => pair.between.join(" / ")).join(", ")}` : t("not_risky")));
        onDone(deck.deck);
      } catch (problem) {
        if (!(problem instanceof Refused)) throw problem;
        guide.textContent = problem.message;
      }
    };
    return [h("p", {}, t("enrol_names")), h("label", {}, t("deck_name"), " ", name),
      h("div", { class: "row" }, names.map((field, index) => h("label", {}, `${index + 1} `, field))), guide,
      h("div", { class: "buttons" }, h("button", { type: "button", class: "big", id: "learn", onclick: learn }, t("learn")), h("button", { type: "button", onclick: close }, t("cancel")))];
  }

  function close() {
    element.hidden = true;
    remove("draft").catch(() => {});
    onJob("find", game.value);
  }

  function heard(looking, seen) {
    if (element.hidden || looking.job !== stage || looking.ready === undefined) return;
    const take = element.querySelector("#take");
    if (take) take.disabled = !looking.ready || !seen;
    guide.textContent = looking.ready ? t("ready") : guidance(looking.fault);
    if (looking.grid) show(grid, looking.grid.map((row, at) => h("div", { class: `grid-row ${COLOURS[at]}` }, row.map((cell) => h("i", { class: cell })))));
  }

  return { element, open, heard };
}

// The same words as the command line's, in the language of the page.
export function guidance(fault) {
  const [first, second] = fault.cards || [];
  const words = t("fault_" + fault.kind.replace("-", "_"))
    .replace("{n}", fault.rows ?? fault.count ?? fault.number ?? "")
    .replace("{row}", first?.row ?? "").replace("{card}", first ? cardName(first) : "").replace("{other}", second ? cardName(second) : "");
  if (fault.kind !== "missing") return fault.kind === "other" ? fault.says : words;
  const told = fault.cards.slice(0, NAMED).map((card) => t("fault_missing").replace("{row}", card.row).replace("{card}", cardName(card)));
  const more = fault.cards.length - told.length;
  return told.join(" ") + (more > 0 ? ` ${t("and_more").replace("{n}", more)}` : "");
}

const cardName = (card) => `${card.colour ? t("colour_" + card.colour) : ""} ${card.number}`.trim();
