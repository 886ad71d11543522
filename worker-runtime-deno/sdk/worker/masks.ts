/** Replaces secrets in what a job sends; docs/reference/masking.md has the rules. */

import { inspect } from "node:util";

const MASK = "***";

/** Shorter texts are not masked. */
const BYTES_MIN = 8;

/** Most characters of all spellings of the secrets of one job. */
const SPELLING_CHARS_MAX = 8 << 20;

// deno-lint-ignore no-control-regex
const LINE_END = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** The secrets are too large to be masked. */
export class TooManySpellings extends Error {}

/** Spellings of the secrets of one job. */
export class Masks {
  readonly #spellings: readonly string[];

  /** @throws {TooManySpellings} The secrets are too large. */
  constructor(secrets: readonly Uint8Array[]) {
    const spellings = new Set<string>();
    let chars = 0;
    for (const secret of secrets) {
      for (const text of textsOf(new TextDecoder().decode(secret))) {
        for (const spelling of spellingsOf(text)) {
          if (spellings.has(spelling)) continue;
          spellings.add(spelling);
          chars += spelling.length;
          if (chars > SPELLING_CHARS_MAX) {
            throw new TooManySpellings(`their spellings have more than ${SPELLING_CHARS_MAX} characters`);
          }
        }
      }
    }
    this.#spellings = [...spellings];
  }

  /** Returns a text without secrets. Secrets that touch or overlap become one mask. */
  text(text: string): string {
    const spans = this.#spellings.flatMap((spelling) => spansOf(text, spelling)).sort(([a], [b]) => a - b);
    let masked = "";
    let end = -1;
    for (const [from, to] of spans) {
      if (from > end) masked += text.slice(Math.max(end, 0), from) + MASK;
      end = Math.max(end, to);
    }
    return spans.length === 0 ? text : masked + text.slice(end);
  }

  /** Returns JSON without secrets in its texts, keys and numbers; it stays valid JSON. */
  json(encoded: string): string {
    const masked = JSON.stringify(this.#value(JSON.parse(encoded)));
    return this.text(masked) === masked ? masked : JSON.stringify(MASK);
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.text(String(value)) === String(value) ? value : MASK;
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.text(key), this.#value(member)]));
  }
}

/** Returns where a spelling is in a text; spellings are not empty. */
function spansOf(text: string, spelling: string): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
    spans.push([at, at + spelling.length]);
  }
  return spans;
}

/** Returns the secret, its lines, and the texts in it if it is JSON. */
function textsOf(secret: string): string[] {
  return [secret, ...secret.split(LINE_END), ...textsInJson(secret)]
    .map((text) => text.replace(/^[\r\n]+|[\r\n]+$/g, ""))
    .filter((text) => Buffer.byteLength(text) >= BYTES_MIN);
}

function textsInJson(secret: string): string[] {
  if (!/^\s*[{[]/.test(secret)) return [];
  try {
    const texts: string[] = [];
    JSON.parse(secret, (_, value) => {
      if (typeof value === "string") texts.push(value, ...value.split(LINE_END));
    });
    return texts;
  } catch {
    return [];
  }
}

function spellingsOf(text: string): string[] {
  return [text, ...escaped(text), ...urlCoded(text), ...byteCoded(Buffer.from(text))].filter((each) => each !== "");
}

function escaped(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[\x7f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [json, ascii, inspect(text).slice(1, -1)].flatMap((each) => [each, each.replaceAll("/", "\\/")]);
}

function urlCoded(text: string): string[] {
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  const coded = [component, strict, encodeURI(text), form, strict.replaceAll("%20", "+")];
  return [...coded, ...coded.map((each) => each.replaceAll("%2F", "/"))]
    .flatMap((each) => [each, each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function byteCoded(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  const whole = bytes.toString("base64");
  const alone = [whole, whole.replace(/=+$/, "")];
  return [hex, hex.toUpperCase(), ...[...alone, ...base64Cores(bytes)].flatMap((each) => [each, urlSafe(each)])];
}

/** Returns what of the Base64 form does not depend on the bytes around it, for each place that it can begin at. */
function base64Cores(bytes: Buffer): string[] {
  return ([[0, 0], [1, 2], [2, 3]] as const).map(([before, dropped]) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const padding = whole.length - whole.replace(/=+$/, "").length;
    return whole.slice(dropped, whole.length - padding - (padding > 0 ? 1 : 0));
  }).filter((core) => core.length >= BYTES_MIN);
}

function urlSafe(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}
