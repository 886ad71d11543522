/** One leased attempt of a job, from its lease to its single end. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import { LogChunk_Stream as Stream } from "../proto/millrace/log/v1/log_pb.ts";
import { JobResultSchema, type Lease, StartedSchema, WorkerLogSchema } from "../proto/millrace/worker/v1/session_pb.ts";
import type { Masks } from "./masks.ts";
import type { Outbox } from "./outbox.ts";

/** What the scheduler allows; see Welcome. */
export interface Limits {
  readonly heartbeatMillis: number;
  /** Time after which a silent session expires. */
  readonly ttlMillis: number;
  readonly resultBytesMax: number;
  /** Most log bytes of one attempt. */
  readonly logBytesMax: number;
}

/** Limits until the scheduler has named its own. */
export const USUAL_LIMITS: Limits = {
  heartbeatMillis: 5_000,
  ttlMillis: 15_000,
  resultBytesMax: 4 << 20,
  logBytesMax: 16 << 20,
};

/** How an attempt failed. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly stack?: string;
}

type Outcome = NonNullable<MessageInitShape<typeof JobResultSchema>["outcome"]>;

/** A lease in the hands of this worker. The first end wins, and later ones have no effect. */
export class LeasedJob {
  readonly lease: Lease;
  /** Path of the folder that the jobs of its group share; it may not exist yet. */
  readonly sharedFolder: string | undefined;
  /** Longest time of the attempt; 0 means no limit. */
  readonly timeoutMillis: number;
  /** Secrets that are masked in all that the job sends. */
  masks: Masks | undefined;
  readonly #limits: Limits;
  readonly #outbox: Outbox;
  #state: "held" | "ended" | "dropped" = "held";
  #start: number | undefined;
  #logBytes = 0;
  #logSequence = 0n;

  constructor(lease: Lease, limits: Limits, outbox: Outbox, sharedFolder?: string) {
    this.lease = lease;
    this.sharedFolder = sharedFolder;
    this.timeoutMillis = lease.timeout === undefined ? 0 : durationMs(lease.timeout);
    this.#limits = limits;
    this.#outbox = outbox;
  }

  /** Whether the lease is held and the job has not ended. */
  get isHeld(): boolean {
    return this.#state === "held";
  }

  /** Records that user code of this job begins. */
  started(): void {
    this.#start = performance.now();
    this.tellStarted();
  }

  /** Tells the scheduler that this job has begun, if it has. */
  tellStarted(): void {
    if (!this.isHeld || this.#start === undefined) return;
    const { jobId, leaseToken } = this.lease;
    this.#outbox.addStarted(create(StartedSchema, { jobId, leaseToken }));
  }

  /** Ends the attempt with a result, which is JSON. */
  succeed(json: string): void {
    const result = new TextEncoder().encode(this.masks?.json(json) ?? json);
    if (result.length <= this.#limits.resultBytesMax) {
      this.#end({ case: "result", value: result });
      return;
    }
    this.fail({
      name: "ResultTooLarge",
      message: `The result has ${result.length} bytes, but a result may have at most ${this.#limits.resultBytesMax}.` +
        " Return less, or store the data elsewhere and return its address.",
      retryable: false,
    });
  }

  /** Ends the attempt with an error. */
  fail(failure: Failure): void {
    const { name, message, retryable, stack = "" } = failure;
    const error = { name: this.masked(name), message: this.masked(message), stack: this.masked(stack), retryable };
    this.#end({ case: "error", value: error });
  }

  /** Ends the attempt because its time is over. */
  timeOut(): void {
    const words = this.timeoutMillis < 1000 ? `${Math.round(this.timeoutMillis)} ms` : `${this.timeoutMillis / 1000} s`;
    const message = `The attempt ran longer than its timeout of ${words}.`;
    this.fail({ name: "TimedOut", message, retryable: true });
  }

  /** Returns the job to the queue; only for a job that never began. */
  giveBack(reason: string): void {
    this.#end({ case: "returned", value: { reason } });
  }

  /** Drops the job because its lease is lost; returns false if it has ended before. */
  drop(): boolean {
    const wasHeld = this.isHeld;
    if (wasHeld) this.#state = "dropped";
    return wasHeld;
  }

  /** Sends a piece of log, up to the limit of the attempt. */
  log(stream: Stream, text: string): void {
    const { logBytesMax } = this.#limits;
    if (text === "" || !this.isHeld || this.#logBytes > logBytesMax) return;
    const masked = this.masked(text);
    this.#logBytes += Buffer.byteLength(masked);
    const fits = this.#logBytes <= logBytesMax;
    const { jobId, leaseToken } = this.lease;
    this.#outbox.addLog(
      create(WorkerLogSchema, {
        jobId,
        leaseToken,
        sequence: this.#logSequence++,
        stream: fits ? stream : Stream.SYSTEM,
        text: fits ? masked : `Log limit of ${logBytesMax} bytes reached; the rest is dropped.\n`,
      }),
    );
  }

  /** Returns a text that may be sent: without secrets, and valid Unicode. */
  masked(text: string): string {
    return (this.masks?.text(text) ?? text).toWellFormed();
  }

  #end(outcome: Outcome): void {
    if (!this.isHeld) return;
    this.#state = "ended";
    const { jobId, leaseToken } = this.lease;
    const result = create(JobResultSchema, { jobId, leaseToken, outcome });
    if (this.#start !== undefined) result.runDuration = durationFromMs(Math.round(performance.now() - this.#start));
    this.#outbox.addResult(result);
  }
}
