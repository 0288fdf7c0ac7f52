// The table's WebSocket: comes back by itself, and begins again with everything there is.

import { language } from "./words.js";

export function follow({ onMessage, onPicture, onState, pictures = true }) {
  let socket = null;
  let delay = 500;
  let closed = false;
  let heard = Date.now();

  function connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const wants = `lang=${language()}&pictures=${pictures}`;
    socket = new WebSocket(`${scheme}://${location.host}/api/table/feed?${wants}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      delay = 500;
      onState(true);
    };
    socket.onmessage = (event) => {
      heard = Date.now();
      if (typeof event.data === "string") onMessage(JSON.parse(event.data));
      else onPicture?.(unpacked(event.data));
    };
    socket.onclose = () => {
      if (closed) return;
      onState(false);
      setTimeout(connect, delay);
      delay = Math.min(delay * 1.6, 5000);
    };
  }

  // A network that went away without a word: nothing for half a minute, though the server beats every 15 s.
  const watch = setInterval(() => {
    if (Date.now() - heard > 35000 && socket.readyState === WebSocket.OPEN) socket.close();
  }, 5000);
  connect();
  return () => {
    closed = true;
    clearInterval(watch);
    socket.close();
  };
}

function unpacked(buffer) {
  const length = new DataView(buffer).getUint32(0);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return { ...head, jpeg: new Blob([new Uint8Array(buffer, 4 + length)], { type: "image/jpeg" }) };
}
