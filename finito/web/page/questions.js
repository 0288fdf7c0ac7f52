// What the referee is not sure of while it counts: the card itself, and whose it may be.

import { h, show } from "./dom.js";
import { t } from "./words.js";

const SIZE = 96;

export function questions(list, asked, { nameOf, crop, answer }) {
  const key = JSON.stringify(asked.map((each) => [each.ask, each.between]));
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  show(list, asked.map((each) => h("li", { class: "card-box" }, each.corners ? cut(crop, each.corners) : null, h("p", {}, sentence(each, nameOf)), answers(each, nameOf, answer))));
}

function sentence(each, nameOf) {
  const between = each.between.filter((word) => word !== "no card").map((word) => nameOf(word));
  return t("ask_" + each.ask.replace("-", "_")).replace("{back}", nameOf(each.back || each.between[0])).replace("{names}", between.join(` ${t("or")} `)).replace("{n}", each.between[0] ?? "").replace("{of}", each.between.at(-1) ?? "");
}

function answers(each, nameOf, answer) {
  if (each.ask !== "card" && each.ask !== "whose") return null;
  const backs = each.between.filter((word) => word !== "no card");
  return h("div", { class: "buttons" },
    backs.map((back) => h("button", { type: "button", onclick: (event) => answered(event, back, answer) }, nameOf(back))),
    each.ask === "card" ? h("button", { type: "button", onclick: (event) => answered(event, null, answer) }, t("no_card")) : null);
}

function answered(event, back, answer) {
  event.target.closest("li").remove(); // a second tap must not count the card again
  answer(back);
}

function cut(crop, corners) {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const side = 1.2 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 8);
  const canvas = h("canvas", { width: SIZE, height: SIZE, role: "img", "aria-label": t("this_card") });
  const left = (Math.min(...xs) + Math.max(...xs) - side) / 2;
  const top = (Math.min(...ys) + Math.max(...ys) - side) / 2;
  if (crop.width) canvas.getContext("2d").drawImage(crop, left, top, side, side, 0, 0, SIZE, SIZE);
  return canvas;
}
