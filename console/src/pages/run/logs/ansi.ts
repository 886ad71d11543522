/** A piece of a line with one look. */
export interface AnsiSpan {
  readonly text: string;
  readonly className: string;
}

/** Colors 30 to 37 and 90 to 97, as tokens of the console: they are legible on both themes. */
const COLORS = [
  "text-muted",
  "text-failed",
  "text-succeeded",
  "text-waiting",
  "text-running",
  "text-canceled",
  "text-accent",
  "text-text",
] as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences of terminals
const SEQUENCE = /\u001b(?:\[([0-9;:?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that would not be seen
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g;

interface Look {
  color: string;
  isBold: boolean;
  isFaint: boolean;
  isUnderlined: boolean;
}

const PLAIN: Look = { color: "", isBold: false, isFaint: false, isUnderlined: false };

/** The pieces of a line. Sequences that set colors are followed, all others are left out, links among them. */
export function ansiSpans(line: string): readonly AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  const look = { ...PLAIN };
  let at = 0;
  const add = (text: string) => {
    const visible = text.replace(CONTROL, "\ufffd");
    if (visible !== "") {
      spans.push({ text: visible, className: classes(look) });
    }
  };
  for (const match of line.matchAll(SEQUENCE)) {
    add(line.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") {
      apply(look, match[1] ?? "");
    }
  }
  add(line.slice(at));
  return spans;
}

/** The line without any sequence, as it is searched and downloaded. */
export function plainText(line: string): string {
  return line.includes("\u001b") ? line.replace(SEQUENCE, "") : line;
}

function apply(look: Look, parameters: string): void {
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 0) {
      Object.assign(look, PLAIN);
    } else if (code === 1) {
      look.isBold = true;
    } else if (code === 2) {
      look.isFaint = true;
    } else if (code === 4) {
      look.isUnderlined = true;
    } else if (code === 22) {
      look.isBold = false;
      look.isFaint = false;
    } else if (code === 24) {
      look.isUnderlined = false;
    } else if (code === 39) {
      look.color = "";
    } else if (code === 38 || code === 48) {
      // Colors of larger palettes are not shown; their parameters are no codes.
      index += codes[index + 1] === 5 ? 2 : 4;
    } else {
      look.color = COLORS[code >= 90 ? code - 90 : code - 30] ?? look.color;
    }
  }
}

function classes(look: Look): string {
  return [
    look.color,
    look.isBold ? "font-bold" : "",
    look.isFaint && look.color === "" ? "text-muted" : "",
    look.isUnderlined ? "underline" : "",
  ]
    .filter(Boolean)
    .join(" ");
}
