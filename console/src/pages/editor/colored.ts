import { typescriptLanguage } from "@codemirror/lang-javascript";
import { pythonLanguage } from "@codemirror/lang-python";
import { yamlLanguage } from "@codemirror/lang-yaml";
import { highlightCode, tagHighlighter } from "@lezer/highlight";
import type { CodeLanguage } from "#/pages/editor/languages.ts";
import { SYNTAX } from "#/pages/editor/syntax.ts";

/** A piece of code with the classes that color it; none for code without a color. */
export interface Colored {
  readonly text: string;
  readonly classes: string;
}

const HIGHLIGHTER = tagHighlighter(SYNTAX.map(({ tag, class: name }) => ({ tag, class: name })));

const PARSERS = {
  yaml: yamlLanguage.parser,
  python: pythonLanguage.parser,
  typescript: typescriptLanguage.parser,
} as const;

/** Colors a text. The pieces together are the text. */
export function colored(text: string, language: Exclude<CodeLanguage, "text">): readonly Colored[] {
  const pieces: Colored[] = [];
  const put = (piece: string, classes: string) => {
    const last = pieces.at(-1);
    if (last !== undefined && last.classes === classes) {
      pieces[pieces.length - 1] = { text: last.text + piece, classes };
    } else {
      pieces.push({ text: piece, classes });
    }
  };
  highlightCode(text, PARSERS[language].parse(text), HIGHLIGHTER, put, () => put("\n", ""));
  return pieces;
}
