// The scoreboard: this round as it stands, the totals, the way to the target.

import { chart, mark } from "./chart.js";
import { h, show } from "./dom.js";
import { t } from "./words.js";

export function score(place, state) {
  const match = state.about.match;
  if (!match) return show(place);
  const points = state.board.points || {};
  const faults = state.board.faults || {};
  const counted = state.about.round !== null && state.about.round !== undefined;
  show(place,
    h("h2", {}, t("score"), " ", h("small", {}, `${t("to")} ${match.target}`)),
    h("table", { class: "score" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("player")), h("th", { scope: "col" }, t("this_round")), h("th", { scope: "col" }, t("total")), h("th", { scope: "col" }, t("faults")))),
      h("tbody", {}, match.players.map((player, index) => h("tr", { "data-back": player.back, class: match.winner === player.back ? "winner" : "" },
        h("th", { scope: "row" }, h("span", { class: `mark c${index % 6}`, "aria-hidden": "true" }, mark(index)), " ", player.name),
        h("td", { class: "points" }, shownPoints(state, player.back, points, counted)),
        h("td", { class: "total" }, match.totals[player.back], h("progress", { max: match.target, value: Math.max(0, match.totals[player.back]), "aria-label": `${player.name} ${t("total")}` })),
        h("td", { class: "faults" }, faults[player.back] ?? 0))))),
    match.winner ? h("p", { class: "wins" }, `${t("wins")} ${match.players.find((player) => player.back === match.winner)?.name}`) : null,
    match.rounds.length ? chart(match) : null);
}

function shownPoints(state, back, points, counted) {
  return counted && state.result ? state.result.points[back] : points[back] ?? 0;
}
