import { en, type Words } from "#/words/en.ts";
import { currentLanguage, type Language } from "#/words/language.ts";

/** Languages other than English are loaded only for whoever reads them. */
const LOADERS: Readonly<Record<Language, () => Words | Promise<Words>>> = {
  en: () => en,
  zh: () => import("#/words/zh.ts").then(({ zh }) => zh),
};

/** All words of the console in the language of the page. */
export const words: Words = await LOADERS[currentLanguage()]();
