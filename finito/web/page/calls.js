// The last calls, newest first; anything can be taken back, and brought back.

import { h, show } from "./dom.js";
import { t } from "./words.js";

const SHOWN = 40;

export function recent(list, state, correct, nameOf) {
  const lines = [...state.lines.values()].sort((one, other) => other.line - one.line).slice(0, SHOWN);
  show(list, lines.map((line) => item(line, correct, nameOf)));
}

function item(line, correct, nameOf) {
  const withdrawn = line.said === "withdrawn";
  const verdict = withdrawn ? "withdrawn" : line.verdict;
  const ruling = line.ruling ? h("em", {}, ` (${t("ruled_" + line.ruling)})`) : null;
  return h("li", { class: `call ${verdict}`, "data-line": line.line },
    h("time", {}, seconds(line.t)),
    h("b", {}, t("verdict_" + verdict)),
    h("span", { class: "why" }, line.player ? h("i", {}, nameOf(line.player)) : null, " ", line.why, ruling),
    correct ? h("button", { class: "small", "aria-label": `${line.settled_by ? t("bring_back") : t("take_out")}: ${line.why}`, onclick: () => correct(line.settled_by || line.line) }, line.settled_by ? "↶" : "×") : null);
}

export function seconds(moment) {
  const t0 = Array.isArray(moment) ? moment[0] : moment;
  if (t0 === undefined || t0 === null) return "";
  return `${Math.floor(t0 / 60)}:${String(Math.floor(t0 % 60)).padStart(2, "0")}`;
}
