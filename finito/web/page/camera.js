// This phone is the camera: its picture goes to the referee as JPEG frames, as fast as they are taken.

import { byId, h, show } from "./dom.js";
import { t } from "./words.js";

const WIDTH = 1280;
const HEIGHT = 720;
const QUALITY = 0.8;
const MOST_WAITING = 2;
let sentAt = [];
let socket = null;
let stream = null;

export async function build(main) {
  show(main, h("h1", {}, t("page_camera")),
    h("video", { id: "preview", playsinline: true, muted: true, autoplay: true, "aria-label": t("picture") }),
    h("p", { id: "camera-state", class: "big", role: "status" }, t("camera_waits")),
    h("p", { id: "camera-rate", class: "quiet" }),
    h("button", { class: "big", id: "camera-start", onclick: begin }, t("camera_start")));
  if (!window.isSecureContext || !navigator.mediaDevices) tell(t("camera_insecure"));
}

const tell = (text) => { byId("camera-state").textContent = text; };

async function begin() {
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: WIDTH }, height: { ideal: HEIGHT } } });
  } catch (problem) {
    tell(`${t("camera_refused")} (${problem.name})`);
    return;
  }
  const video = byId("preview");
  video.srcObject = stream;
  await video.play();
  byId("camera-start").hidden = true;
  navigator.wakeLock?.request("screen").catch(() => {}); // without it the phone dims, no more
  connect();
  pump(video);
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/api/camera`);
  sentAt = [];
  socket.onopen = () => tell(t("camera_runs"));
  socket.onmessage = (event) => taken(JSON.parse(event.data));
  socket.onclose = (event) => {
    tell(event.code === 4409 ? t("camera_taken") : t("reconnecting"));
    setTimeout(connect, 1500);
  };
}

function taken(answer) {
  const sent = sentAt.shift();
  if (answer.type === "refused") return tell(answer.why);
  const delay = Math.round(performance.now() - sent);
  byId("camera-rate").textContent = `${answer.fps} ${t("fps")} · ${delay} ms`;
  document.documentElement.dataset.frames = answer.n;
}

async function pump(video) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { alpha: false });
  for (;;) {
    await new Promise((resolve) => (document.hidden ? setTimeout(resolve, 500) : requestAnimationFrame(resolve)));
    if (socket?.readyState !== WebSocket.OPEN || sentAt.length >= MOST_WAITING || !video.videoWidth) continue;
    const scale = Math.min(1, WIDTH / video.videoWidth);
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    pen.drawImage(video, 0, 0, canvas.width, canvas.height);
    const jpeg = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    if (!jpeg || socket.readyState !== WebSocket.OPEN) continue;
    sentAt.push(performance.now());
    socket.send(jpeg);
  }
}
