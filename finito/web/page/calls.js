// The last calls, newest first; anything can be taken back, and brought back.

import { h, show } from "./dom.js";
import { t } from "./words.js";

const SHOWN = 40;
const SIGNS = { legal: "✓", illegal: "✗", unsure: "?", withdrawn: "↶" };

const newestFirst = (state) => [...state.lines.values()].sort((one, other) => other.line - one.line);

export function recent(list, state, correct, nameOf) {
  show(list, newestFirst(state).slice(0, SHOWN).map((line) => item(line, correct, nameOf)));
}

// What was called last, large: from two metres nobody reads a list.
export function lastCall(place, state, nameOf, open) {
  const newest = newestFirst(state).find((each) => each.said !== "withdrawn");
  const line = newest && newest.line === open?.line ? null : newest; // that one has a card of its own
  const key = line ? `${line.line} ${line.verdict} ${line.why}` : "";
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  show(place, line ? [h("b", { class: line.verdict, "aria-hidden": "true" }, SIGNS[line.verdict]), " ", line.player ? h("i", {}, nameOf(line.player)) : null, " ", line.why] : null);
}

function item(line, correct, nameOf) {
  const withdrawn = line.said === "withdrawn";
  const verdict = withdrawn ? "withdrawn" : line.verdict;
  const ruling = line.ruling ? h("em", {}, ` (${t("ruled_" + line.ruling)})`) : null;
  return h("li", { class: `call ${verdict}`, "data-line": line.line },
    h("time", {}, seconds(line.t)),
    h("b", { title: t("verdict_" + verdict), "aria-label": t("verdict_" + verdict), role: "img" }, SIGNS[verdict]),
    h("span", { class: "why" }, line.player ? h("i", {}, nameOf(line.player)) : null, " ", line.why, ruling),
    correct ? h("button", { class: "small", "aria-label": `${line.settled_by ? t("bring_back") : t("take_out")}: ${line.why}`, onclick: () => correct(line.settled_by || line.line) }, line.settled_by ? "↶" : "×") : null);
}

export function seconds(moment) {
  const t0 = Array.isArray(moment) ? moment[0] : moment;
  if (t0 === undefined || t0 === null) return "";
  return `${Math.floor(t0 / 60)}:${String(Math.floor(t0 % 60)).padStart(2, "0")}`;
}
