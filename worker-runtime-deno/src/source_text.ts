/** Parses just enough JavaScript and TypeScript to split a parameter list at its commas. */

/** A list between two brackets, split at the commas outside of further brackets, strings and comments. */
export interface List {
  /** The trimmed parts, without comments. */
  readonly parts: readonly string[];
  /** Index after the closing bracket. */
  readonly end: number;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Splits the list that opens at `start`; returns undefined if it is not closed. */
export function splitList(source: string, start: number): List | undefined {
  const parts: string[] = [];
  const closing: string[] = [];
  let part = "";
  let index = start;
  while (index < source.length) {
    const end = skipToken(source, index, part);
    const token = source.slice(index, end);
    index = end;
    if (token in CLOSING) {
      closing.push(CLOSING[token] ?? "");
      if (closing.length === 1) continue;
    } else if (token === closing.at(-1)) {
      closing.pop();
      if (closing.length === 0) {
        if (part.trim() !== "") parts.push(part.trim());
        return { parts, end };
      }
    } else if (token === "," && closing.length === 1) {
      parts.push(part.trim());
      part = "";
      continue;
    }
    part += isComment(token) ? " " : token;
  }
  return undefined;
}

/** Returns the index after the white space and comments at `start`. */
export function skipBlank(source: string, start: number): number {
  let index = start;
  while (index < source.length) {
    const end = skipToken(source, index, "");
    const token = source.slice(index, end);
    if (token.trim() !== "" && !isComment(token)) break;
    index = end;
  }
  return index;
}

/** Returns the index after the token at `index`: a string, template, comment, regular expression, or one character. */
function skipToken(source: string, index: number, before: string): number {
  const rest = source.slice(index, index + 2);
  if (rest === "//") return endOf(source, "\n", index);
  if (rest === "/*") return endOf(source, "*/", index);
  const first = source[index];
  if (first === '"' || first === "'") return skipQuoted(source, index, first);
  if (first === "`") return skipTemplate(source, index);
  if (first === "/" && /(^|[=(,:[!&|?{;+\-*%~^<>])\s*$/.test(before)) return skipRegExp(source, index);
  return index + 1;
}

function isComment(token: string): boolean {
  return token.startsWith("//") || token.startsWith("/*");
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from + 2);
  return found < 0 ? source.length : found + mark.length;
}

function skipQuoted(source: string, start: number, quote: string): number {
  let index = start + 1;
  while (index < source.length && source[index] !== quote) index += source[index] === "\\" ? 2 : 1;
  return index + 1;
}

function skipTemplate(source: string, start: number): number {
  let index = start + 1;
  while (index < source.length && source[index] !== "`") {
    if (source[index] === "\\") index += 2;
    else if (source.startsWith("${", index)) index = splitList(source, index + 1)?.end ?? source.length;
    else index += 1;
  }
  return index + 1;
}

function skipRegExp(source: string, start: number): number {
  let inClass = false;
  let index = start + 1;
  while (index < source.length && (inClass || source[index] !== "/")) {
    if (source[index] === "[") inClass = true;
    else if (source[index] === "]") inClass = false;
    index += source[index] === "\\" ? 2 : 1;
  }
  return index + 1;
}
