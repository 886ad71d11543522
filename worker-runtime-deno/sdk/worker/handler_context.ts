/** What a handler knows of its job, and can do for it. */

import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { Blobs } from "../../src/blobs.ts";
import type { Context } from "../../src/context.ts";
import { fileBlobs } from "../../src/file_blobs.ts";
import { type Lock, type LockOptions, takeLock } from "../../src/lock.ts";
import { type Logger, newLogger } from "../../src/logger.ts";
import { encodeValue } from "../../src/results.ts";
import { type RunData, runData } from "../../src/run_data.ts";
import { LogChunk_Stream as Stream } from "../proto/millrace/log/v1/log_pb.ts";
import type { JobApi } from "./job_api.ts";
import type { LeasedJob } from "./leased_job.ts";
import { nodeDisk } from "./node_disk.ts";

/** Time that is left for a job without a timeout. */
const NO_LIMIT_MILLIS = 366 * 24 * 3_600_000;

const running = new AsyncLocalStorage<HandlerContext>();

/** The running job. Handlers receive it as their second argument. */
export interface HandlerContext extends Omit<Context, "secrets" | "resources" | "state" | "runs"> {
  /** Whether the job is canceled or has timed out: its result will be ignored, and it should end soon. */
  readonly isCanceled: boolean;
  /** Adds a line to the log of the job. */
  log(text: string): void;
}

/**
 * Returns the running job, for code that the handler did not pass its context to.
 *
 * @throws {Error} No job is running here.
 */
export function current(): HandlerContext {
  const context = running.getStore();
  if (context !== undefined) return context;
  throw new Error("No job is running here: call current() from a handler, or from what a handler calls.");
}

/** Calls a function for which `current` returns the context, also after an `await`. */
export function runWith<T>(context: HandlerContext, call: () => T): T {
  return running.run(context, call);
}

/** Returns the context of a job. */
export function newContext(job: LeasedJob, api: JobApi, signal: AbortSignal): HandlerContext {
  return new JobHandlerContext(job, api, signal);
}

class JobHandlerContext implements HandlerContext {
  readonly jobId: string;
  readonly runId: string;
  readonly step: string;
  readonly attempt: number;
  readonly workspace: string;
  readonly traceparent: string;
  readonly tracestate: string;
  readonly stepToken: string;
  readonly idempotencyKey: string;
  readonly sharedFolder: string | undefined;
  readonly deadline: Date;
  readonly signal: AbortSignal;
  readonly data: RunData;
  readonly blobs: Blobs;
  readonly logger: Logger;
  readonly #job: LeasedJob;
  readonly #api: JobApi;

  constructor(job: LeasedJob, api: JobApi, signal: AbortSignal) {
    const { jobId, runId, step, attempt, workspace, traceparent, tracestate } = job.lease;
    this.jobId = jobId;
    this.runId = runId;
    this.step = step;
    this.attempt = attempt;
    this.workspace = workspace;
    this.traceparent = traceparent;
    this.tracestate = tracestate;
    this.stepToken = `${runId}/${step}`;
    this.idempotencyKey = nameUuid(this.stepToken);
    this.sharedFolder = job.sharedFolder;
    this.deadline = new Date(Date.now() + (job.timeoutMillis || NO_LIMIT_MILLIS));
    this.signal = signal;
    this.data = runData(api.call);
    this.blobs = fileBlobs(api.call, nodeDisk);
    this.logger = newLogger((stream, line) => job.log(stream === "stderr" ? Stream.STDERR : Stream.STDOUT, line));
    this.#job = job;
    this.#api = api;
  }

  get isCanceled(): boolean {
    return !this.#job.isHeld;
  }

  log(text: string): void {
    this.#job.log(Stream.STDOUT, `${text}\n`);
  }

  progress(value: unknown): void {
    this.trace(`progress: ${encodeValue(value, "progress")}`);
  }

  trace(message: string): void {
    this.#job.log(Stream.TRACE, `${message}\n`);
  }

  async lock(name: string, options: LockOptions = {}): Promise<Lock> {
    return await takeLock(this.#api.call, name, options, (this.deadline.getTime() - Date.now()) / 1000);
  }
}

/** Returns the UUID that workers of all languages make of a name (version 3 without a name space). */
function nameUuid(name: string): string {
  const bytes = createHash("md5").update(name).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x30, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
