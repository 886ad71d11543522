/**
 * Handlers of jobs in a process of your own.
 *
 * @example
 * ```ts
 * import { Worker } from "millrace/worker";
 *
 * const worker = new Worker();
 * worker.job("greet", (input: { name: string }) => `Hello, ${input.name}!`);
 * await worker.run();
 * ```
 *
 * @module
 */

export type { BlobFile, BlobReference, Blobs, BlobSource, PutOptions } from "../../src/blobs.ts";
export {
  CallFailed,
  Canceled,
  InputError,
  LockTimeout,
  MillraceError,
  NonRetryableError,
  ResultError,
} from "../../src/errors.ts";
export type { Lock, LockOptions } from "../../src/lock.ts";
export type { Fields, Logger } from "../../src/logger.ts";
export type { RunData } from "../../src/run_data.ts";
export { AccessError } from "../access/errors.ts";
export type { Handler } from "./attempt.ts";
export { current, type HandlerContext } from "./handler_context.ts";
export type { Notify } from "./notify.ts";
export { Worker, type WorkerOptions } from "./worker.ts";
