/** The languages of the console, each by its own name. */
export const LANGUAGES = { en: "English", zh: "中文" } as const;

export type Language = keyof typeof LANGUAGES;

const KEY = "millrace-language";

/** The language that a person has chosen, else the first one of the browser that the console has. */
export function languageFor(chosen: string | null, browser: readonly string[]): Language {
  const wanted = [chosen ?? "", ...browser].map((name) => name.toLowerCase().split("-")[0]);
  return wanted.find((name): name is Language => name !== undefined && name in LANGUAGES) ?? "en";
}

export function currentLanguage(): Language {
  const isBrowser = typeof localStorage !== "undefined";
  return isBrowser ? languageFor(localStorage.getItem(KEY), navigator.languages) : "en";
}

/** Chooses a language. The page loads anew, since its words are constants. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  document.location.reload();
}
