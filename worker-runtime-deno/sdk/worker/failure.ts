/** Describes what a handler has thrown. */

import { inspect } from "node:util";
import { InputError, ResultError } from "../../src/errors.ts";
import type { Failure } from "./leased_job.ts";

const MESSAGE_LENGTH_MAX = 16 * 1024;
const STACK_LENGTH_MAX = 64 * 1024;
const CAUSES_MAX = 10;

/** Frames of Node.js and of this package, which say nothing about the fault. */
const FOREIGN_FRAME = /^\s+at .*node:internal/;
const PACKAGE_FOLDER = new URL("../..", import.meta.url).href;

/** Describes any thrown value; never throws, even if the value's own methods do. */
export function describeFailure(thrown: unknown): Failure {
  try {
    return describe(thrown);
  } catch {
    const message = "What the handler threw cannot be read: reading it threw, too.";
    return { name: "Error", message, retryable: true };
  }
}

function describe(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) {
    const message = `The handler threw a value that is not an Error: ${inspect(thrown)}`;
    return { name: "Error", message: cut(message, MESSAGE_LENGTH_MAX), retryable: true };
  }
  const hasNoUserFrames = thrown instanceof InputError || thrown instanceof ResultError;
  return {
    // A subclass that sets no name of its own has the one of its parent.
    name: String(Object.hasOwn(thrown, "name") || thrown.name !== "Error" ? thrown.name : thrown.constructor.name),
    message: cut(String(thrown.message), MESSAGE_LENGTH_MAX),
    stack: hasNoUserFrames ? "" : cut(stackWithCauses(thrown), STACK_LENGTH_MAX),
    retryable: !("retryable" in thrown && thrown.retryable === false),
  };
}

function stackWithCauses(thrown: Error): string {
  const errors = [thrown];
  for (const { cause } of errors) {
    if (cause instanceof Error && !errors.includes(cause) && errors.length < CAUSES_MAX) errors.push(cause);
  }
  return errors.map(userStack).join("\nCaused by: ");
}

function userStack(error: Error): string {
  const lines = String(error.stack ?? error).split("\n");
  return lines.filter((line) => !FOREIGN_FRAME.test(line) && !isOurs(line)).join("\n");
}

function isOurs(line: string): boolean {
  return /^\s+at /.test(line) && line.includes(PACKAGE_FOLDER);
}

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, lengthMax - 1) + "…";
}
