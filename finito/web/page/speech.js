// Spoken calls by the browser's own voice.

import { setting } from "./settings.js";
import { language, t } from "./words.js";

const TAGS = { en: "en-GB", de: "de-DE", fr: "fr-FR", nl: "nl-NL" };

export function sentenceFor(line, nameOf) {
  if (line.corrected) return line.said === "withdrawn" ? `${t("taken_out")}: ${line.why}` : line.why;
  if (line.said) return null; // what changed because of a correction is shown, not spoken
  if (line.type === "finito" && line.verdict === "legal") return `${t("finito")} ${nameOf(line.player)}`;
  if (line.verdict === "illegal") return `${nameOf(line.player)}: ${line.why}`;
  if (line.verdict === "unsure") return `${t("unsure")}: ${line.why}`;
  return setting("voice") === "all" ? line.why : null;
}

export function say(text) {
  if (!text || setting("voice") === "mute" || !window.speechSynthesis) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = TAGS[language()];
  words.volume = setting("volume");
  words.rate = 1.1;
  window.speechSynthesis.speak(words);
}

export function hush() {
  window.speechSynthesis?.cancel();
}
