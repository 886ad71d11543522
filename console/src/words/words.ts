import { en, type Words } from "#/words/en.ts";
import { currentLanguage, type Language } from "#/words/language.ts";
import { zh } from "#/words/zh.ts";

const ALL: Readonly<Record<Language, Words>> = { en, zh };

/** All words of the console in the language of the page. */
export const words: Words = ALL[currentLanguage()];
