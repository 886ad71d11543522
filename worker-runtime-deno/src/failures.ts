/** Describes thrown values to the host. */

import { InputError, LoadError, ResultError } from "./errors.ts";
import type { Failure } from "./frames.ts";
import { host } from "./host.ts";
import { withImportHints } from "./import_hint.ts";
import { permissionHint } from "./permission_hint.ts";

const MESSAGE_LENGTH_MAX = 16 * 1024;
const STACK_LENGTH_MAX = 64 * 1024;
const RELATED_ERRORS_MAX = 10;

const RUNTIME_FOLDER = new URL(".", import.meta.url).href;
const FOREIGN_FRAME = /^\s+at .*(?:ext:|node:internal|\(native:)/;

/** Messages of failed imports that begin with what is missing; the rest is the place of the import. */
const MODULE_NOT_FOUND = /^Module not found "file:|^Requires read access to .*\n\s+at file:/;
const NOT_IN_THE_VERSION =
  "A file beside the script belongs to its version if the file was there when the version was deployed, so deploy it again.";

let scriptFolder: string | undefined;

/** Lets errors show the files of this folder by their paths in it, which people know, instead of those on the worker. */
export function nameFiles(folder: string): void {
  scriptFolder = folder;
}

/** Describes any thrown value; never throws, even if the value's own methods do. */
export function describeFailure(thrown: unknown): Failure {
  try {
    return describe(thrown);
  } catch (error) {
    const message = `What the script threw cannot be read: reading it threw ${typeof error}.`;
    return { name: "Error", message, stack: "", retryable: true };
  }
}

function describe(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) {
    const message = `The script threw a value that is not an Error: ${host().show(thrown)}`;
    return { name: "Error", message: cut(message), stack: "", retryable: true };
  }
  const hasNoUserFrames = thrown instanceof InputError || thrown instanceof ResultError || thrown instanceof LoadError;
  const message = withImportHints(String(thrown.message));
  const hint = MODULE_NOT_FOUND.test(message) ? NOT_IN_THE_VERSION : permissionHint(thrown);
  return {
    name: String(thrown.name || thrown.constructor.name),
    message: cut(withoutFolder(hint === undefined ? message : `${message}\n${hint}`)),
    stack: hasNoUserFrames ? "" : userStack(thrown),
    retryable: !("retryable" in thrown && thrown.retryable === false),
  };
}

/** Returns the stack in JavaScript's order, innermost first, with causes and aggregated errors. */
function userStack(error: Error): string {
  const stacks = [stackOf(error)];
  const errors = [error];
  for (const described of errors) {
    const { cause } = described;
    const gathered: readonly unknown[] = described instanceof AggregateError ? described.errors : [];
    for (const [label, related] of [["Caused by", cause], ...gathered.map((each) => ["With", each])] as const) {
      if (!(related instanceof Error) || errors.includes(related) || errors.length >= RELATED_ERRORS_MAX) continue;
      errors.push(related);
      stacks.push(`${label}: ${stackOf(related)}`);
    }
  }
  const stack = stacks.join("\n");
  return stack.length <= STACK_LENGTH_MAX ? stack : stack.slice(0, STACK_LENGTH_MAX - 1) + "…";
}

function stackOf(error: Error): string {
  const lines = withImportHints(String(error.stack ?? error)).split("\n");
  return withoutFolder(lines.filter((line) => !FOREIGN_FRAME.test(line) && !isRuntimeFrame(line)).join("\n"));
}

function withoutFolder(text: string): string {
  return scriptFolder === undefined ? text : text.replaceAll(host().inStacks(scriptFolder), "");
}

function isRuntimeFrame(line: string): boolean {
  return /^\s+at /.test(line) && line.includes(host().inStacks(RUNTIME_FOLDER));
}

function cut(text: string): string {
  return text.length <= MESSAGE_LENGTH_MAX ? text : text.slice(0, MESSAGE_LENGTH_MAX - 1) + "…";
}
