// The call that waits for the table's word: proof, the rule in words, and three answers.

import { get } from "./api.js";
import { h, show } from "./dom.js";
import { t } from "./words.js";

const STEP = 140;
let shownLine = null;
let shownKey = "";
let timer = null;

export function openCall(state) {
  return [...state.lines.values()].findLast((line) => (line.verdict === "illegal" || line.verdict === "unsure") && !line.settled_by && line.said !== "withdrawn");
}

export function violation(place, call, rule, nameOf) {
  const key = call ? `${call.line} ${call.verdict} ${call.why}` : "";
  if (key === shownKey) return;
  shownKey = key;
  clearInterval(timer);
  if (!call) {
    shownLine = null;
    show(place);
    return;
  }
  const proof = h("img", { class: "proof", alt: t("proof"), hidden: true });
  show(place, h("article", { class: `violation ${call.verdict}`, role: "alert", "data-line": call.line },
    h("h2", {}, `${t("verdict_" + call.verdict)} · ${nameOf(call.player)}`),
    proof,
    h("p", { class: "why" }, call.why),
    call.says ? h("p", { class: "says" }, call.says) : null,
    rule ? h("div", { class: "buttons" },
      h("button", { class: "right", onclick: () => rule("right"), "aria-keyshortcuts": "r" }, t("right")),
      h("button", { class: "wrong", onclick: () => rule("wrong"), "aria-keyshortcuts": "w" }, t("wrong")),
      h("button", { class: "pass", onclick: () => rule("pass"), "aria-keyshortcuts": "p" }, t("pass"))) : null));
  shownLine = call.line;
  loop(call.line, proof);
}

async function loop(line, image) {
  const pictures = async () => (await get(`table/evidence/${line}`).catch(() => ({ pictures: 0 }))).pictures;
  let count = await pictures();
  if (!count || shownLine !== line) return;
  setTimeout(async () => { count = await pictures(); }, 1500); // the second after the call
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let at = count - 1;
  const next = () => {
    if (shownLine !== line) return clearInterval(timer);
    image.src = `/api/table/evidence/${line}/${at}.jpg`;
    image.hidden = false;
    at = (at + 1) % count;
  };
  next();
  if (!still) timer = setInterval(next, STEP);
}
