// Totals over the rounds of a match, as lines that also differ by their marks.

import { h, svg } from "./dom.js";
import { t } from "./words.js";

const WIDTH = 600;
const HEIGHT = 240;
const EDGE = 34;
const MARKS = ["●", "■", "▲", "◆", "★", "✚"];

export function chart(match) {
  const rounds = match.rounds.filter((round) => round.status === "counts");
  const rows = match.players.map((player) => [0, ...rounds.map((round) => round.totals[player.back])]);
  const top = Math.max(match.target, ...rows.flat());
  const low = Math.min(0, ...rows.flat());
  const x = (index) => EDGE + (index * (WIDTH - 2 * EDGE)) / Math.max(1, rounds.length);
  const y = (points) => HEIGHT - EDGE - ((points - low) * (HEIGHT - 2 * EDGE)) / (top - low || 1);
  const words = match.players.map((player, index) => `${player.name} ${rows[index].at(-1)}`).join(", ");
  return svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${t("chart")}: ${words}` },
    svg("line", { class: "axis", x1: EDGE, x2: WIDTH - EDGE, y1: y(0), y2: y(0) }),
    svg("line", { class: "target", x1: EDGE, x2: WIDTH - EDGE, y1: y(match.target), y2: y(match.target) }),
    svg("text", { x: 2, y: y(match.target) + 5 }, match.target),
    rounds.map((round, index) => svg("text", { class: "axis-word", x: x(index + 1), y: HEIGHT - 6, "text-anchor": "middle" }, round.round)),
    rows.map((row, index) => svg("g", { class: `line c${index % 6}` },
      svg("polyline", { points: row.map((points, at) => `${x(at)},${y(points)}`).join(" ") }),
      row.map((points, at) => svg("text", { x: x(at), y: y(points) + 5, "text-anchor": "middle" }, MARKS[index % 6])))));
}

export function mark(index) {
  return MARKS[index % 6];
}

export function legend(match) {
  return h("p", { class: "legend", "aria-hidden": "true" }, match.players.map((player, index) => h("span", { class: `c${index % 6}` }, `${mark(index)} ${player.name}`)));
}
