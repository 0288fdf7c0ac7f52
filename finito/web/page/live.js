// The page at the table: picture or board, the last calls, the violation, Finito, the score.

import { Refused, post } from "./api.js";
import { recent } from "./calls.js";
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

export async function build(main, me) {
  writes = me.role === "table";
  view = pictureView();
  show(main,
    h("h1", { class: "hidden" }, t("page_live")),
    h("div", { id: "trouble", role: "status", "aria-live": "polite" }),
    h("div", { id: "banner", role: "status", "aria-live": "assertive" }),
    h("div", { class: "live" },
      h("div", { class: "table-view" }, view.element, h("div", { id: "board" })),
      h("div", { class: "column" },
        h("div", { id: "violation", role: "region", "aria-label": t("call") }),
        h("section", { id: "score", "aria-label": t("score") }),
        writes ? buttons() : null,
        h("section", { "aria-label": t("calls") }, h("h2", {}, t("calls")), h("ol", { id: "calls", tabindex: 0 })))));
  if (writes) onKeys({ r: () => rule("right"), w: () => rule("wrong"), p: () => rule("pass"), u: undo, m: mute, s: () => send("table/start"), f: focusFinito });
  follow({ onMessage: take, onPicture: (picture) => view.take(picture), onState: online });
}

function buttons() {
  return h("div", { class: "buttons", id: "buttons" },
    h("button", { id: "start", onclick: () => send("table/start"), "aria-keyshortcuts": "s" }, t("start")),
    h("button", { id: "undo", onclick: undo, "aria-keyshortcuts": "u" }, t("undo")),
    h("span", { id: "finito-buttons", role: "group", "aria-label": t("finito_of") }),
    h("a", { class: "button", href: "/count" }, t("page_count")),
    h("button", { id: "next", onclick: () => send("table/next") }, t("next_round")));
}

export const nameOf = (back) => state.about.match?.players.find((player) => player.back === back)?.name || back || "";

function take(message) {
  if (message.type === "snapshot") {
    Object.assign(state, message, { lines: new Map(message.lines.map((line) => [line.line, line])) });
    if (!message.picture) view.hide();
    renderAll();
  } else if (message.type === "line") {
    state.lines.set(message.line.line, message.line);
    say(sentenceFor(message.line, nameOf));
    renderCalls();
  } else if (message.type === "board") {
    state.board = message.board;
    state.result = message.result;
    renderBoard();
  } else if (message.type === "about" || message.type === "status") {
    state[message.type] = message[message.type];
    renderAll();
  }
}

function renderAll() {
  renderCalls();
  renderBoard();
  view.tell(state.status);
  const idle = state.status.state === "idle";
  if (idle && !state.status.camera) show(byId("trouble"), h("p", { class: "card-box" }, t("idle"), " ", writes ? h("a", { href: "/setup" }, t("page_setup")) : null));
  else if (byId("trouble").textContent) show(byId("trouble"));
  const place = byId("finito-buttons");
  if (place && place.childElementCount !== (state.about.match?.players.length || 0)) {
    show(place, (state.about.match?.players || []).map((player) => h("button", { class: "finito-of", onclick: () => send("table/finito", { player: player.back }) }, `${t("finito")} ${player.name}`)));
  }
}

function renderCalls() {
  recent(byId("calls"), state, writes ? correct : null, nameOf);
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
  if (!up) show(byId("trouble"), h("p", { class: "card-box" }, t("reconnecting")));
  else show(byId("trouble"));
}

async function send(path, body) {
  try {
    await post(path, body);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    show(byId("trouble"), h("p", { class: "card-box" }, problem.message));
  }
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
