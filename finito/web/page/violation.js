// The call that waits for the table's word: proof, the rule in words, and three answers.

import { get } from "./api.js";
import { h, show } from "./dom.js";
import { t } from "./words.js";

const STEP = 140;
const ASK_AGAIN = 1500; // milliseconds: then there are the pictures of the second after the call
const LONGEST_PAUSE = 15000;
let shownKey = "";
let shownProof = null;

// Of the calls that wait, an accusation before a question: nobody shall answer a question and settle the
// accusation that stood there a moment ago. Of several, the one that was spoken of last.
export function openCall(state) {
  const open = [...state.lines.values()].filter((line) => !line.settled_by && line.said !== "withdrawn");
  return open.findLast((line) => line.verdict === "illegal") || open.findLast((line) => line.verdict === "unsure");
}

export function violation(place, call, rule, nameOf) {
  const key = call ? `${call.line} ${call.verdict} ${call.why}` : "";
  if (key === shownKey) return;
  shownKey = key;
  shownProof = null;
  if (!call) {
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
  shownProof = proof;
  loop(call.line, proof);
}

// Asks as long as the call is shown: there may be none yet, more of them, or a server that is away.
async function loop(line, image) {
  const shown = () => shownProof === image;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let count = 0;
  let at = 0;
  const next = () => {
    image.src = `/api/table/evidence/${line}/${at % count}.jpg`;
    at += 1;
  };
  image.onload = () => { image.hidden = false; };
  image.onerror = () => { image.hidden = true; };
  const timer = setInterval(() => {
    if (!shown()) clearInterval(timer);
    else if (count && (image.hidden || !still)) next();
  }, STEP);
  for (let pause = ASK_AGAIN; shown(); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const found = await get(`table/evidence/${line}`).catch(() => null);
    if (found && !count) at = found.pictures - 1; // first of all the call itself
    if (found) count = found.pictures;
    await new Promise((done) => setTimeout(done, pause));
  }
}
