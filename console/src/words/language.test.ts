import { expect, test } from "vitest";
import { languageFor } from "#/words/language.ts";

test.each([
  [null, ["de-DE", "zh-CN", "en"], "zh"],
  [null, ["en-GB", "zh"], "en"],
  [null, ["de"], "en"],
  ["zh", ["en"], "zh"],
  ["tlh", ["zh-TW"], "zh"],
] as const)("for the choice %j and a browser that wants %j: %s", (chosen, browser, language) => {
  expect(languageFor(chosen, browser)).toBe(language);
});
