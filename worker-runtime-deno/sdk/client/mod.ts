/**
 * Calls a Millrace scheduler.
 *
 * @example
 * ```ts
 * import { Client } from "millrace/client";
 *
 * using client = new Client();
 * console.log(await client.run({ flow: "pipeline" }, { orders: [1, 2] }));
 * ```
 *
 * @module
 */

export type { BlobFile, BlobReference, BlobSource, PutOptions } from "../../src/blobs.ts";
export { MillraceError, ResultError } from "../../src/errors.ts";
export { AccessError } from "../access/errors.ts";
export type { Violation } from "../access/status.ts";
export { Client, type ClientOptions } from "./client.ts";
export {
  ClientError,
  InvalidFlow,
  InvalidRequest,
  NotFound,
  Overloaded,
  PermissionDenied,
  RequestIdReused,
  RunCanceled,
  RunFailed,
  ServerFailed,
  StateUnsuitable,
  TimedOut,
  Unauthenticated,
  Unavailable,
} from "./errors.ts";
export type * from "./models.ts";
export type { Retries } from "./retries.ts";
