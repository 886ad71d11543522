import { ansiSpans } from "#/pages/run/logs/ansi.ts";
import type { LogLine } from "#/pages/run/logs/log_lines.ts";

/** Levels from the least to the most serious. */
export const LEVELS = ["debug", "info", "warning", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];

const NAMES: Readonly<Record<string, LogLevel>> = {
  trace: "debug",
  debug: "debug",
  info: "info",
  notice: "info",
  warn: "warning",
  warning: "warning",
  err: "error",
  error: "error",
  critical: "error",
  crit: "error",
  fatal: "error",
  panic: "error",
};
/** Numbers of pino and bunyan, from which on a level counts. */
const NUMBERS: readonly (readonly [number, LogLevel])[] = [
  [50, "error"],
  [40, "warning"],
  [30, "info"],
  [0, "debug"],
];

/** Characters at the beginning of a line in which its level is looked for. */
const HEAD_CHARACTERS = 2_000;
const JSON_LEVEL = /"(?:level|severity|levelname|lvl|log\.level)"\s*:\s*(?:"(?<name>\w+)"|(?<number>\d+))/;
const LOGFMT_LEVEL = /(?:^|\s)(?:level|lvl|severity)="?(?<name>[A-Za-z]+)\b/;
const WORDS = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERR|ERROR|CRITICAL|CRIT|FATAL|PANIC";
/** A time, a thread or the name of a logger may come before the word, each with something that ends it. */
const TIME = String.raw`(?:\[?\d[\dT:.,+\-/Z ]{6,40}\]?\s*[-|]?\s*)?`;
const SOURCE = String.raw`(?:\[[^\]]{1,60}\]\s+|[\w.]{1,60}\s+[-|]\s+)?`;
const CAPITALS = new RegExp(String.raw`^${TIME}${SOURCE}[[(<]?(?<name>${WORDS})[\])>]?(?=[\s:|,-]|$)`);
const SMALL = new RegExp(String.raw`^${TIME}(?:\[(?<bracketed>${WORDS})\]|(?<before>${WORDS}):(?=\s))`, "i");

/** The level that a line says it has; undefined if it says none. */
export function levelOf(text: string): LogLevel | undefined {
  const head = ansiSpans(text.slice(0, HEAD_CHARACTERS))
    .map((span) => span.text)
    .join("");
  if (head.startsWith("{")) {
    const { name, number } = JSON_LEVEL.exec(head)?.groups ?? {};
    return number === undefined ? named(name) : NUMBERS.find(([least]) => Number(number) >= least)?.[1];
  }
  const { bracketed, before } = SMALL.exec(head)?.groups ?? {};
  return (
    named(CAPITALS.exec(head)?.groups?.name) ??
    named(bracketed ?? before) ??
    named(LOGFMT_LEVEL.exec(head)?.groups?.name)
  );
}

function named(name: string | undefined): LogLevel | undefined {
  return name === undefined ? undefined : NAMES[name.toLowerCase()];
}

/** Lines that go on with what the line before says, such as the frames of a stack trace. */
const GOES_ON = /^(?:\s|Traceback \(|Caused by:|During handling of|The above exception)/;

/**
 * The lines of a level and more serious ones, with the lines that go on with them: indented ones, and the stack trace below,
 * with the line that ends it.
 */
export function linesFrom(least: LogLevel, lines: readonly LogLine[]): readonly LogLine[] {
  /** By job and stream, whether the last line is shown, and whether it is within a stack trace. */
  const last = new Map<string, { readonly isShown: boolean; readonly isTrace: boolean }>();
  return lines.filter((line) => {
    const source = `${line.step} ${line.stream}`;
    const before = last.get(source) ?? { isShown: false, isTrace: false };
    const level = levelOf(line.text);
    const goesOn = GOES_ON.test(line.text);
    const isShown =
      level === undefined
        ? before.isShown && (goesOn || before.isTrace)
        : LEVELS.indexOf(level) >= LEVELS.indexOf(least);
    last.set(source, { isShown, isTrace: level === undefined && goesOn });
    return isShown;
  });
}
