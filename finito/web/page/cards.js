// Cards and the board. A colour is always told by its initial, too.

import { h } from "./dom.js";
import { t } from "./words.js";

export function card(face, label) {
  if (!face) return h("span", { class: "card none", role: "img", "aria-label": t("empty") }, "·");
  const colour = { R: "red", Y: "yellow", G: "green", B: "blue" }[face[0]] || "unread";
  const spoken = `${label ? label + " " : ""}${t("colour_" + colour)} ${face.slice(1)}`;
  return h("span", { class: `card ${colour}`, role: "img", "aria-label": spoken }, face.slice(1), h("small", { "aria-hidden": "true" }, face[0]));
}

export function board(data, nameOf) {
  if (!data?.sides) return h("p", { class: "quiet" }, t("no_board"));
  return h("div", { class: "board" },
    h("section", { class: "piles", "aria-label": t("centre") },
      data.piles.length ? data.piles.map((pile) => h("figure", {}, card(pile.face), h("figcaption", {}, pile.pile))) : h("p", { class: "quiet" }, t("no_pile"))),
    h("div", { class: "sides" }, Object.entries(data.sides).map(([name, side]) => sideOf(name, side, data, nameOf))));
}

function sideOf(name, side, data, nameOf) {
  return h("section", { class: "side" + (data.finito === name ? " called" : ""), "aria-label": nameOf(name) },
    h("h3", {}, nameOf(name)),
    h("div", { class: "row" },
      h("span", { class: "stack" }, card(side.top, t("espresso")), h("small", {}, `×${side.espresso}`)),
      h("span", { class: "helps" }, side.helps.map((face) => card(face))),
      card(side.waste, t("waste")),
      h("small", { class: "quiet" }, `${t("hand")} ${side.hand}`)));
}
