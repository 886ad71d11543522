/**
 * Millrace for authors of TypeScript scripts.
 *
 * A script is a module that exports a function `main`. Its parameters are filled by name from the input of the job, and
 * its return value is the result.
 *
 * @example
 * ```ts
 * import { type Context, NonRetryableError } from "millrace";
 *
 * export async function main(url: string, limit = 10, ctx: Context): Promise<string[]> {
 *   const response = await fetch(url, { signal: ctx.signal });
 *   if (response.status === 404) throw new NonRetryableError(`${url} does not exist.`);
 *   return (await response.text()).split("\n").slice(0, limit);
 * }
 * ```
 *
 * @module
 */

export type { BlobFile, BlobReference, Blobs, BlobSource, PutOptions } from "./blobs.ts";
export type { Context } from "./context.ts";
export { current } from "./current.ts";
export {
  CallFailed,
  Canceled,
  InputError,
  LockTimeout,
  MillraceError,
  NonRetryableError,
  ResultError,
  RunFailed,
  RunTimeout,
} from "./errors.ts";
export type { Lock, LockOptions } from "./lock.ts";
export type { Fields, Logger } from "./logger.ts";
export type { RunData } from "./run_data.ts";
export type { Runs, RunSpec, StartedRun, WaitLink, WaitOptions } from "./runs.ts";
export type { Resources, Secrets, State } from "./values.ts";
