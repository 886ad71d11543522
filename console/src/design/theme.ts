/** The theme that a person has chosen; `system` follows the browser. */
export type Theme = "system" | "light" | "dark";

const KEY = "millrace-theme";
const readers = new Set<() => void>();
const system = window.matchMedia("(prefers-color-scheme: dark)");

export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(KEY);
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
  for (const reader of readers) {
    reader();
  }
}

/** Calls a function when somebody has chosen a theme. Returns what ends that. */
export function onThemeChosen(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Shows the chosen theme, and follows the system from now on. */
export function startTheme(): void {
  applyTheme();
  system.addEventListener("change", applyTheme);
}

function applyTheme(): void {
  const chosen = chosenTheme();
  document.documentElement.dataset.theme = chosen === "system" ? (system.matches ? "dark" : "light") : chosen;
}
