// All matches: rounds, statistics, chart; any round can be put right.

import { Refused, get, post, put } from "./api.js";
import { chart, legend } from "./chart.js";
import { byId, h, show } from "./dom.js";
import { t } from "./words.js";

let writes = false;

export async function build(main, me) {
  writes = me.role === "table";
  const [all, players] = await Promise.all([get("matches"), get("players")]);
  show(main, h("h1", {}, t("page_history")),
    h("div", { class: "history" },
      all.length ? h("ul", { class: "matches" }, all.map((match) => h("li", {}, h("a", { class: "card-box", href: `#${match.match}` }, h("strong", {}, `${match.match}. ${match.name}`), h("span", { class: "quiet" }, match.players.map((player) => `${player.name} ${match.totals[player.back]}${match.winner === player.back ? " ★" : ""}`).join(" · ")))))) : h("p", { class: "card-box" }, t("no_matches")),
      h("section", { id: "match", "aria-live": "polite" })),
    players.length ? everybody(players) : null);
  const open = () => location.hash && showMatch(location.hash.slice(1));
  addEventListener("hashchange", open);
  if (!location.hash && all.length) location.hash = all[0].match;
  else await open();
}

function everybody(players) {
  const columns = ["player", "matches", "wins_of", "rounds", "finitos", "average", "best", "faults"];
  return h("section", { id: "players" }, h("h2", {}, t("all_players")),
    h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": t("all_players") }, h("table", {},
      h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, t(name))))),
      h("tbody", {}, players.map((player) => h("tr", {}, h("th", { scope: "row" }, player.player), [player.matches, player.wins, player.rounds, player.finitos, player.average.toFixed(1), player.best ?? "–", player.illegal].map((value) => h("td", {}, value))))))),
    h("div", { class: "buttons" }, h("a", { class: "button", href: "/api/players/export", download: "" }, `CSV · ${t("all_players")}`)));
}

async function showMatch(id) {
  for (const link of document.querySelectorAll(".matches a")) link.setAttribute("aria-current", link.hash === `#${id}`);
  const match = await get(`matches/${encodeURIComponent(id)}`).catch(() => null);
  if (match) render(match);
}

function render(match) {
  show(byId("match"),
    h("h2", {}, match.name, " ", h("small", {}, `${t("to")} ${match.target}`)),
    match.rounds.length ? [chart(match), legend(match)] : h("p", { class: "quiet" }, t("no_rounds")),
    h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": t("rounds") }, rounds(match)),
    h("h3", {}, t("statistics")), h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": t("statistics") }, figures(match)),
    h("p", { id: "refused", role: "alert" }),
    h("div", { class: "buttons" },
      h("a", { class: "button", href: `/api/matches/${match.match}/export?format=csv`, download: "" }, "CSV"),
      h("a", { class: "button", href: `/api/matches/${match.match}/export?format=json`, download: "" }, "JSON")));
}

function rounds(match) {
  return h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("round")), match.players.map((player) => h("th", { scope: "col" }, player.name)), h("th", { scope: "col" }, t("finito")), writes ? h("th", { scope: "col" }, t("edit")) : null)),
    h("tbody", {}, match.rounds.map((round) => h("tr", { class: round.status, "data-round": round.round },
      h("th", { scope: "row" }, round.round),
      match.players.map((player) => h("td", {}, round.points[player.back], h("small", { class: "quiet" }, ` ${round.totals[player.back]}`))),
      h("td", {}, match.players.find((player) => player.back === round.finito)?.name || ""),
      writes ? h("td", {}, h("button", { class: "edit", onclick: () => edit(match, round) }, t("edit")), h("button", { class: "undo", onclick: () => send(match, () => post(`matches/${match.match}/rounds/${round.round}/${round.status === "undone" ? "redo" : "undo"}?version=${match.version}`)) }, round.status === "undone" ? t("bring_back") : t("take_out"))) : null))));
}

function figures(match) {
  return h("table", {},
    h("thead", {}, h("tr", {}, ["player", "rounds", "finitos", "average", "best", "faults"].map((name) => h("th", { scope: "col" }, t(name))))),
    h("tbody", {}, match.players.map((player) => {
      const known = match.statistics[player.back];
      return h("tr", {}, h("th", { scope: "row" }, player.name), h("td", {}, known.rounds), h("td", {}, known.finitos), h("td", {}, known.average.toFixed(1)), h("td", {}, known.best ?? "–"), h("td", {}, known.illegal ?? 0));
    })));
}

function edit(match, round) {
  const byCards = Object.keys(round.by_back).length > 0;
  const known = byCards ? round.by_back : round.points;
  const inputs = match.players.map((player) => [player, h("input", { type: "number", value: known[player.back] ?? 0, id: `edit-${player.back}` })]);
  const caller = h("select", { id: "edit-finito" }, h("option", { value: "" }, "–"), match.players.map((player) => h("option", { value: player.back, selected: player.back === round.finito }, player.name)));
  const dialog = h("dialog", { id: "edit", "aria-label": `${t("edit")} ${t("round")} ${round.round}` }, h("form", { method: "dialog", onsubmit: () => save() },
    h("h2", {}, `${t("round")} ${round.round}`),
    h("p", {}, byCards ? t("cards_by_back") : t("points")),
    inputs.map(([player, input]) => h("label", {}, player.name, " ", input)),
    h("label", {}, t("finito"), " ", caller),
    h("div", { class: "buttons" }, h("button", { class: "save" }, t("accept")), h("button", { type: "button", onclick: () => dialog.close() }, t("cancel")))));
  const save = () => {
    const numbers = Object.fromEntries(inputs.map(([player, input]) => [player.back, Number(input.value)]));
    const body = { [byCards ? "by_back" : "points"]: numbers, finito: caller.value || null, illegal: round.illegal, race_left: round.race_left };
    send(match, () => put(`matches/${match.match}/rounds/${round.round}?version=${match.version}`, body));
  };
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function send(match, ask) {
  try {
    render(await ask());
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    await showMatch(match.match);
    byId("refused").textContent = problem.message;
  }
}
