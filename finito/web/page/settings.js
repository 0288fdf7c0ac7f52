// What this device remembers: language, light, voice.

const DEFAULTS = { language: null, theme: "auto", voice: "calls", volume: 1 };
let memory = {};

export function setting(name) {
  try {
    return JSON.parse(localStorage.getItem(`finito.${name}`)) ?? memory[name] ?? DEFAULTS[name];
  } catch {
    return memory[name] ?? DEFAULTS[name];
  }
}

export function keep(name, value) {
  memory[name] = value;
  try {
    localStorage.setItem(`finito.${name}`, JSON.stringify(value));
  } catch {
    // A private window remembers until it is closed.
  }
}

const light = matchMedia("(prefers-color-scheme: light)");
light.addEventListener("change", () => applyTheme());

export function applyTheme() {
  const chosen = setting("theme");
  document.documentElement.dataset.theme = chosen === "auto" ? (light.matches ? "light" : "dark") : chosen;
}
