// Everything the page does goes through the API that anybody may use.

import { language, t } from "./words.js";

export class Refused extends Error {}

async function call(method, path, body) {
  const joined = path.includes("?") ? "&" : "?";
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(`/api/${path}${joined}lang=${language()}`, options);
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
