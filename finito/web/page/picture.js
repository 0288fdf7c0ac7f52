// The camera's picture with outlines drawn over it.

import { h } from "./dom.js";
import { t } from "./words.js";

const INK = { card: "#35e06f", zone: "#7fb4ff", arm: "#ff9d3b", unsure: "#ffd23b" };

export function pictureView({ onPicture } = {}) {
  const canvas = h("canvas", { class: "camera", role: "img", "aria-label": t("picture"), hidden: true });
  const caption = h("figcaption", { class: "rate quiet" });
  const element = h("figure", { class: "picture" }, canvas, caption);
  let busy = false;
  let marks = null;

  async function take(picture) {
    if (busy || document.hidden) return; // the newest will do
    busy = true;
    try {
      const bitmap = await createImageBitmap(picture.jpeg);
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      const pen = canvas.getContext("2d");
      pen.drawImage(bitmap, 0, 0);
      onPicture?.(bitmap);
      bitmap.close();
      for (const outline of marks || picture.outlines) drawOutline(pen, outline);
      canvas.hidden = false;
      canvas.dataset.number = picture.n;
    } catch {
      // A picture that cannot be decoded is followed by another one.
    } finally {
      busy = false;
    }
  }

  function tell(status) {
    const parts = [];
    if (status.fps || status.camera_fps) parts.push(`${status.camera_fps || status.fps} ${t("fps")}`);
    if (status.delay) parts.push(`${status.delay} ms`);
    if (status.session) parts.push(`● ${t("recording")}`);
    caption.textContent = parts.join(" · ");
  }

  const hide = () => { canvas.hidden = true; };
  const mark = (outlines) => { marks = outlines; }; // instead of those that come with the pictures; null gives them back
  const shown = () => !canvas.hidden;
  return { element, take, tell, hide, mark, shown };
}

function drawOutline(pen, outline) {
  const ink = INK[outline.kind || "card"] || INK.card;
  pen.strokeStyle = ink;
  pen.lineWidth = Math.max(2, pen.canvas.width / 500);
  pen.setLineDash(outline.kind === "zone" ? [6, 6] : []);
  pen.beginPath();
  outline.corners.forEach(([x, y], index) => (index ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.stroke();
  if (!outline.word) return;
  const size = Math.max(13, pen.canvas.width / 70);
  pen.font = `bold ${size}px sans-serif`;
  const [x, y] = outline.corners[0];
  const width = pen.measureText(outline.word).width + 8;
  pen.fillStyle = "rgba(0, 0, 0, 0.7)";
  pen.fillRect(x, y - size - 4, width, size + 6);
  pen.fillStyle = ink;
  pen.fillText(outline.word, x + 4, y - 2);
}
