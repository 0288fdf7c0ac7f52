// The page at the table: picture or board, the last calls, the violation, Finito, the score.

import { Refused, post } from "./api.js";
import { lastCall, recent } from "./calls.js";
import { board } from "./cards.js";
import { byId, h, show } from "./dom.js";
import { follow } from "./feed.js";
import { onKeys } from "./keys.js";
import { pictureView } from "./picture.js";
import { score } from "./score.js";
import { keep, setting } from "./settings.js";
import { hush, say, sentenceFor } from "./speech.js";
import { openCall, violation } from "./violation.js";
import { t } from "./words.js";

const state = { lines: new Map(), board: {}, about: {}, status: {}, result: null };
let writes = false;
let view = null;
let refused = "";

export async function build(main, me) {
  writes = me.role === "table";
  view = pictureView();
  show(main,
    h("h1", { class: "hidden" }, t("page_live")),
    h("div", { id: "trouble", role: "status", "aria-live": "polite" }),
    h("div", { id: "banner", role: "status", "aria-live": "assertive", hidden: true }),
    h("div", { class: "live" },
      h("div", { class: "table-view" }, view.element, h("p", { id: "last", role: "status", "aria-live": "polite" }), h("div", { id: "board" })),
      h("div", { class: "column" },
        h("div", { id: "violation", role: "region", "aria-label": t("call") }),
        h("section", { id: "score", "aria-label": t("score") }),
        writes ? buttons() : null,
        h("section", { class: "log", "aria-label": t("calls") }, h("h2", {}, t("calls")), h("ol", { id: "calls", tabindex: 0 })))));
  if (writes) onKeys({ r: () => rule("right"), w: () => rule("wrong"), p: () => rule("pass"), u: undo, m: mute, s: () => send("table/start"), f: focusFinito });
  follow({ onMessage: take, onPicture: (picture) => view.take(picture), onState: online });
}

function buttons() {
  return h("div", { class: "buttons", id: "buttons" },
    h("button", { id: "start", onclick: () => send("table/start"), "aria-keyshortcuts": "s" }, t("start")),
    h("button", { id: "undo", onclick: undo, "aria-keyshortcuts": "u" }, `↶ ${t("undo")}`),
    h("span", { id: "finito-buttons", role: "group", "aria-label": t("finito_of") }),
    h("a", { class: "button", id: "to-count", href: "/count" }, t("page_count")),
    h("button", { id: "next", onclick: () => send("table/next") }, t("next_round")),
    h("a", { class: "button", id: "to-replay", hidden: true }, t("page_replay")));
}

export const nameOf = (back) => state.about.match?.players.find((player) => player.back === back)?.name || back || "";

function take(message) {
  if (message.type === "snapshot") {
    Object.assign(state, message, { lines: new Map(message.lines.map((line) => [line.line, line])) });
    if (!message.picture) view.hide();
    renderAll();
  } else if (message.type === "line") {
    state.lines.delete(message.line.line); // so that the lines stand in the order in which they were spoken of
    state.lines.set(message.line.line, message.line);
    say(sentenceFor(message.line, nameOf));
    renderCalls();
  } else if (message.type === "board") {
    state.board = message.board;
    state.result = message.result;
    renderBoard();
  } else if (message.type === "about") {
    state.about = message.about;
    renderAll();
  } else if (message.type === "status") {
    state.status = message.status;
    renderStatus();
  }
}

function renderAll() {
  renderCalls();
  renderBoard();
  renderStatus();
  const place = byId("finito-buttons");
  const players = state.about.match?.players || [];
  const key = players.map((player) => player.name).join("\n");
  if (place && place.dataset.key !== key) {
    place.dataset.key = key;
    show(place, players.map((player) => h("button", { class: "finito-of", onclick: () => send("table/finito", { player: player.back }) }, `${t("finito")} ${player.name}`)));
  }
}

function renderStatus() {
  view.tell(state.status);
  if (state.status.state !== "idle") document.documentElement.dataset.round = state.status.state;
  const replay = byId("to-replay");
  if (replay) {
    replay.hidden = !(state.status.session && state.status.state === "over");
    replay.href = `/replay?session=${encodeURIComponent(state.status.session || "")}`;
  }
  renderTrouble();
}

function renderTrouble() {
  const place = byId("trouble");
  const sentence = trouble();
  if (place.dataset.sentence === sentence) return;
  place.dataset.sentence = sentence;
  const empty = sentence === t("idle");
  show(place, sentence ? h("div", { class: "card-box" + (empty ? " welcome" : "") }, empty ? h("h2", {}, t("welcome")) : null, h("p", {}, sentence), empty && writes ? h("a", { class: "button big", href: "/setup" }, t("page_setup")) : null) : null);
}

function trouble() {
  if (document.documentElement.dataset.online === "false") return t("reconnecting");
  if (refused) return refused;
  const status = state.status;
  if (status.state === "idle" && !status.camera) return t("idle");
  if (status.waiting) return status.hint ? t("hint_" + status.hint) : status.waiting;
  if (status.state === "playing" && status.centre_burnt_out) return t("burnt_out");
  if (status.state === "playing" && status.dazzled?.length) return t("dazzled").replace("{players}", status.dazzled.map(nameOf).join(", "));
  return status.recording || "";
}

function renderCalls() {
  recent(byId("calls"), state, writes ? correct : null, nameOf);
  lastCall(byId("last"), state, nameOf, openCall(state));
  violation(byId("violation"), openCall(state), writes ? rule : null, nameOf);
  const called = [...state.lines.values()].findLast((line) => line.type === "finito" && line.verdict === "legal" && line.said !== "withdrawn");
  const text = called ? `${t("finito")} ${nameOf(called.player)}` : "";
  if (byId("banner").textContent !== text) show(byId("banner"), text);
  byId("banner").hidden = !text;
}

function renderBoard() {
  show(byId("board"), board(state.board, nameOf));
  score(byId("score"), state, nameOf);
}

function online(up) {
  document.documentElement.dataset.online = up;
  if (up) refused = "";
  renderTrouble();
}

async function send(path, body) {
  refused = "";
  try {
    await post(path, body);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    refused = problem.message;
  }
  renderTrouble();
}

function rule(ruling) {
  const call = openCall(state);
  if (call) send("table/rulings", { line: call.line, ruling });
}

const correct = (line) => send("table/corrections", { type: "undo", line });
const undo = () => send("table/undo");
const focusFinito = () => document.querySelector(".finito-of")?.focus();

function mute() {
  hush();
  keep("voice", setting("voice") === "mute" ? "calls" : "mute");
  byId("choose-voice").value = setting("voice");
}
