// Codes that bring others to the table.

import { get } from "./api.js";
import { h, show } from "./dom.js";
import { t } from "./words.js";

export async function build(main) {
  const me = await get("join");
  const secure = me.fingerprint !== null;
  show(main, h("h1", {}, t("page_join")),
    secure ? null : h("p", { class: "card-box" }, t("only_here")),
    h("div", { class: "codes" }, Object.entries(me.links).map(([name, link]) => h("figure", { class: "code" },
      h("h2", {}, t("join_" + name)),
      h("img", { src: `/api/join/${name}.svg`, alt: `${t("code")}: ${t("join_" + name)}`, width: 260, height: 260 }),
      h("figcaption", {}, h("a", { href: link }, name === "spectators" || !secure ? link : t("open_link")))))),
    secure ? h("section", { class: "card-box" }, h("h2", {}, t("warning_title")), h("p", {}, t("warning_why")), h("p", { class: "mono" }, me.fingerprint)) : null,
    h("p", { class: "quiet" }, `${t("followers")}: ${me.followers}`));
}
