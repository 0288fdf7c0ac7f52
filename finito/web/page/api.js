// Everything the page does goes through the API that anybody may use.

import { language, t } from "./words.js";

export class Refused extends Error {}

async function call(method, path, body, options = {}) {
  const joined = path.includes("?") ? "&" : "?";
  const request = { method, headers: {}, ...options };
  if (body instanceof Blob) {
    request.headers["Content-Type"] = body.type;
    request.body = body;
  } else if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(`/api/${path}${joined}lang=${language()}`, request);
  } catch {
    throw new Refused(t("no_server"));
  }
  if (answer.status === 204) return null;
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.error || `${answer.status}`);
  return data;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body) => call("PUT", path, body);
export const remove = (path) => call("DELETE", path, undefined, { keepalive: true });
