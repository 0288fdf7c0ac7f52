// A recorded session: video, board and calls side by side at any moment.

import { get } from "./api.js";
import { seconds } from "./calls.js";
import { board } from "./cards.js";
import { byId, h, show } from "./dom.js";
import { onKeys } from "./keys.js";
import { t } from "./words.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const AROUND = 3;
let session = null;
let now = 0;
let playing = false;
let speed = 1;
let last = 0;
let part = null;

export async function build(main) {
  const chosen = new URLSearchParams(location.search).get("session");
  if (!chosen) return list(main);
  session = await get(`sessions/${encodeURIComponent(chosen)}`);
  show(main, h("h1", {}, `${t("page_replay")} ${session.session}`),
    h("div", { class: "replay" },
      h("video", { id: "video", muted: true, playsinline: true, preload: "auto", "aria-label": t("picture"), hidden: !session.parts.length }),
      h("div", { id: "board" }),
      h("section", { id: "at", role: "status", "aria-label": t("call") })),
    timeline(),
    h("div", { class: "buttons" },
      button("back", `⏮ ${t("step_back")}`, () => step(-1)), button("play", `▶ ${t("play")}`, toggle), button("forth", `${t("step")} ⏭`, () => step(1)),
      button("next-violation", `${t("next_violation")} ✗`, nextViolation),
      h("label", {}, t("speed"), " ", h("select", { id: "speed", onchange: (event) => setSpeed(Number(event.target.value)) }, SPEEDS.map((value) => h("option", { value, selected: value === 1 }, `${value}×`)))),
      h("a", { class: "button", id: "clip", download: "" }, `↓ ${t("clip")}`),
      h("a", { class: "button", id: "export", href: `/api/sessions/${encodeURIComponent(session.session)}/export.zip`, download: "" }, `↓ ${t("share")}`),
      navigator.canShare ? h("button", { id: "share-clip", onclick: shareClip }, t("share_clip")) : null),
    h("p", { id: "refused", role: "alert" }),
    h("ol", { id: "calls", class: "all" }, session.lines.map((line) => h("li", { class: `call ${line.verdict || ""}` },
      h("button", { class: "link", onclick: () => seek(line.t) }, h("time", {}, seconds(line.t)), " ", h("b", {}, t("verdict_" + (line.verdict || "none"))), " ", line.why || line.type)))));
  onKeys({ " ": toggle, arrowleft: () => step(-1), arrowright: () => step(1), n: nextViolation });
  seek(0);
  requestAnimationFrame(tick);
}

// Hands the clip to whatever the device shares with; where that is nothing, it is a download like any other.
async function shareClip() {
  byId("refused").textContent = t("looking");
  try {
    const answer = await fetch(byId("clip").href);
    if (!answer.ok) throw new Error((await answer.json()).error);
    const file = new File([await answer.blob()], `${session.session}.mp4`, { type: "video/mp4" });
    byId("refused").textContent = "";
    if (navigator.canShare({ files: [file] })) await navigator.share({ files: [file], title: document.title });
    else byId("clip").click();
  } catch (problem) {
    byId("refused").textContent = problem.name === "AbortError" ? "" : problem.message;
  }
}

async function list(main) {
  const all = await get("sessions");
  show(main, h("h1", {}, t("page_replay")),
    all.length ? h("ul", { class: "sessions" }, all.map((each) => h("li", {}, each.problem ? h("p", { class: "card-box" }, `${each.session}: ${each.problem}`)
      : h("a", { class: "card-box", href: `/replay?session=${encodeURIComponent(each.session)}` }, h("strong", {}, each.session), h("span", {}, each.players.join(", ")), h("span", { class: "quiet" }, seconds(each.seconds)))))) : h("p", { class: "card-box" }, t("no_sessions")));
}

const button = (id, text, onclick) => h("button", { id, onclick }, text);

function timeline() {
  const length = Math.max(session.seconds, 0.1);
  const events = session.lines.filter((line) => line.t !== undefined);
  return h("div", { class: "timeline" },
    h("input", { id: "scrub", type: "range", min: 0, max: length, step: 0.05, value: 0, "aria-label": t("timeline"), oninput: (event) => seek(Number(event.target.value)) }),
    h("div", { class: "ticks", "aria-hidden": "true" }, events.map((line) => tickOf(line, length))),
    h("output", { id: "clock" }));
}

function tickOf(line, length) {
  const kind = line.type === "finito" ? "finito" : line.verdict || "other";
  const element = h("i", { class: `tick ${kind}`, title: line.why || line.type });
  element.style.left = `${(100 * line.t) / length}%`;
  return element;
}

function tick(at) {
  const video = byId("video");
  if (playing) {
    now = part && !video.paused && !video.ended ? part.starts + video.currentTime : now + ((at - last) / 1000) * speed;
    if (now >= session.seconds) stop(session.seconds);
    render();
  }
  last = at;
  requestAnimationFrame(tick);
}

function stop(at) {
  now = at;
  if (playing) toggle();
}

function toggle() {
  playing = !playing;
  const video = byId("video");
  if (playing && now >= session.seconds) seek(0);
  if (part) playing ? video.play().catch(() => {}) : video.pause();
  byId("play").textContent = playing ? `⏸ ${t("pause")}` : `▶ ${t("play")}`;
}

function setSpeed(value) {
  speed = value;
  byId("video").playbackRate = value;
}

function seek(moment) {
  now = Math.min(Math.max(0, moment ?? 0), session.seconds);
  const wanted = session.parts.findLast((each) => each.starts <= now + 0.001) || session.parts[0] || null;
  const video = byId("video");
  if (wanted && wanted !== part) {
    part = wanted;
    video.src = `/api/sessions/${encodeURIComponent(session.session)}/video/${part.file}`;
    video.playbackRate = speed;
    if (playing) video.play().catch(() => {});
  }
  if (part) video.currentTime = Math.max(0, now - part.starts);
  render();
}

function step(by) {
  if (playing) toggle();
  const times = [...new Set(session.lines.map((line) => line.t))].sort((one, other) => one - other);
  const target = by > 0 ? times.find((moment) => moment > now + 0.01) : times.findLast((moment) => moment < now - 0.01);
  if (target !== undefined) seek(target);
}

function nextViolation() {
  if (playing) toggle();
  const bad = session.lines.filter((line) => line.verdict === "illegal" || line.verdict === "unsure");
  const target = bad.find((line) => line.t > now + 0.01) || bad[0];
  if (target) seek(target.t);
}

function render() {
  byId("scrub").value = now;
  byId("clock").textContent = `${seconds(now)} / ${seconds(session.seconds)}`;
  const standing = session.boards.findLast((each) => each.t <= now + 0.01) || session.boards[0];
  const line = session.lines.findLast((each) => each.t <= now + 0.01);
  const key = `${session.boards.indexOf(standing)} ${line?.line}`;
  byId("clip").href = `/api/sessions/${encodeURIComponent(session.session)}/clip.mp4?start=${Math.max(0, now - AROUND).toFixed(2)}&end=${(now + AROUND).toFixed(2)}`;
  if (byId("board").dataset.key === key) return;
  byId("board").dataset.key = key;
  show(byId("board"), board(standing, (name) => name), standing ? h("p", { class: "quiet" }, Object.entries(standing.points).map(([name, points]) => `${name} ${points}`).join(" · ")) : null);
  show(byId("at"), line ? h("p", { class: `call ${line.verdict || ""}` }, h("b", {}, t("verdict_" + (line.verdict || "none"))), " ", line.why || line.type) : null, line?.says ? h("p", { class: "says" }, line.says) : null);
}
