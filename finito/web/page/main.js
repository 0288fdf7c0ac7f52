// Finds out which page this is and builds it.

import { get } from "./api.js";
import { byId, h, show } from "./dom.js";
import { applyTheme, keep, setting } from "./settings.js";
import { LANGUAGES, language, t } from "./words.js";

const LINKS = [["/", "live"], ["/setup", "setup"], ["/count", "count"], ["/replay", "replay"], ["/history", "history"], ["/join", "join"]];
const MODULES = {
  live: () => import("./live.js"),
  setup: () => import("./setup.js"),
  count: () => import("./count.js"),
  replay: () => import("./replay.js"),
  history: () => import("./history.js"),
  join: () => import("./join.js"),
  camera: () => import("./camera.js"),
};
const ONLY_AT_THE_TABLE = ["setup", "count"];

async function start() {
  const page = document.documentElement.dataset.page;
  document.documentElement.lang = language();
  applyTheme();
  const me = await get("join").catch(() => ({ role: "none", links: {} }));
  document.documentElement.dataset.role = me.role;
  document.title = `${t("page_" + page)} · Finito`;
  show(byId("top"), h("a", { class: "skip", href: "#main" }, t("skip")), navigation(page, me.role), choices());
  const main = byId("main");
  if (me.role === "none") {
    show(main, h("p", { class: "card-box", role: "alert" }, t("locked")));
    return;
  }
  const { build } = await MODULES[page]();
  await build(main, me);
  document.documentElement.dataset.ready = "true";
}

function navigation(page, role) {
  const shown = LINKS.filter(([, name]) => role === "table" || !ONLY_AT_THE_TABLE.includes(name));
  return h("nav", { "aria-label": t("pages") },
    h("strong", { class: "brand" }, "Finito"),
    shown.map(([path, name]) => h("a", { href: path, "aria-current": name === page ? "page" : null }, t("page_" + name))));
}

function choices() {
  const panel = h("details", { class: "choices", id: "choices", onkeydown: (event) => { if (event.key === "Escape") panel.open = false; } },
    h("summary", { "aria-label": t("settings") }, h("span", { "aria-hidden": "true" }, "⚙")),
    h("div", { class: "panel" },
      select("language", t("language"), Object.entries(LANGUAGES), language(), true),
      select("theme", t("light"), [["auto", t("theme_auto")], ["dark", t("theme_dark")], ["light", t("theme_light")]], setting("theme"), false),
      select("voice", t("voice"), [["calls", t("voice_calls")], ["all", t("voice_all")], ["mute", t("voice_mute")]], setting("voice"), false),
      h("label", {}, t("volume"),
        h("input", { id: "choose-volume", type: "range", min: 0, max: 1, step: 0.1, value: setting("volume"), oninput: (event) => keep("volume", Number(event.target.value)) }))));
  document.addEventListener("click", (event) => { if (!panel.contains(event.target)) panel.open = false; });
  return panel;
}

function select(name, label, options, chosen, reload) {
  const element = h("select", { id: `choose-${name}`, onchange: (event) => {
    keep(name, event.target.value);
    if (name === "theme") applyTheme();
    if (reload) location.assign(location.pathname + location.hash);
  } }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  return h("label", {}, label, element);
}

start();
