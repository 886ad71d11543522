/** Log lines with a level and fields. */

import { encodeValue } from "./results.ts";

/** Fields of a log line; their values are written as JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes lines to the log of the running job. A line has a level, a message and fields: `INFO charged order="A-17"`.
 *
 * Lines of the levels debug and info go to stdout, warnings and errors to stderr. Logging never fails a job: a value
 * that is not JSON is written as its text.
 */
export interface Logger {
  /** Returns a logger that adds these fields to each line. */
  bind(fields: Fields): Logger;
  /** Writes what helps to find a fault. */
  debug(message: string, fields?: Fields): void;
  /** Writes what happens. */
  info(message: string, fields?: Fields): void;
  /** Writes what somebody should look at. */
  warning(message: string, fields?: Fields): void;
  /** Writes what went wrong. */
  error(message: string, fields?: Fields): void;
}

/** Returns a logger; `print` adds a line to a stream. */
export function newLogger(print: (stream: "stdout" | "stderr", line: string) => void, bound: Fields = {}): Logger {
  const write = (stream: "stdout" | "stderr", level: string) => (message: string, fields: Fields = {}): void => {
    const text = String(message).replaceAll("\r", "\\r").replaceAll("\n", "\\n");
    const pairs = Object.entries({ ...bound, ...fields }).map(([name, value]) => `${name}=${json(value)}`);
    print(stream, `${[level, text, ...pairs].join(" ")}\n`);
  };
  return {
    bind: (fields) => newLogger(print, { ...bound, ...fields }),
    debug: write("stdout", "DEBUG"),
    info: write("stdout", "INFO"),
    warning: write("stderr", "WARNING"),
    error: write("stderr", "ERROR"),
  };
}

function json(value: unknown): string {
  try {
    return encodeValue(value);
  } catch {
    return JSON.stringify(String(value));
  }
}
