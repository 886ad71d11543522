import type { Lock, LockOptions } from "./lock.ts";
import type { RunData } from "./run_data.ts";

/** The job that is running. `main` receives it as its last parameter, if that is named `ctx`. */
export interface Context {
  /** Id of the job. */
  readonly jobId: string;
  /** Id of the run that the job belongs to. */
  readonly runId: string;
  /** Key of the flow's step, such as `count[3]`; empty where the script runs without a flow. */
  readonly step: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** W3C trace context of the job; empty where nothing traces it. */
  readonly traceparent: string;
  /** A UUID that names this step of this run in all its attempts: hand it to services that must not do the same thing twice. */
  readonly idempotencyKey: string;
  /**
   * Path of the folder that the steps of a `same_worker` group share, also reached as `./shared`; undefined for a step that keeps
   * to no worker.
   */
  readonly sharedFolder: string | undefined;
  /** Names this step of this run in all its attempts: `RUN_ID/STEP_KEY`. */
  readonly stepToken: string;
  /** What the steps of the run share by key. */
  readonly data: RunData;
  /** When this attempt runs out of time. */
  readonly deadline: Date;
  /** Aborted when the job is canceled or runs out of time: hand it to whatever waits. */
  readonly signal: AbortSignal;
  /**
   * Shows any JSON value to the people who watch the run.
   *
   * @throws {ResultError} The value cannot be written as JSON.
   */
  progress(value: unknown): void;
  /** Says something about the step on purpose: kept with its log, in a stream of its own. */
  trace(message: string): void;
  /**
   * Takes a mutex of the workspace, and waits while others hold it. The job may take it again while it holds it. It is free once
   * all holds are given back, when its time is over, and when the job has ended; a further attempt of the job takes it over.
   *
   * @example
   * ```ts
   * await using lock = await ctx.lock("invoice-17", { ttl: 60 });
   * ```
   *
   * @throws {LockTimeout} Others held it all the time.
   * @throws {CallFailed} The job is no longer this worker's, or the scheduler cannot be asked.
   */
  lock(name: string, options?: LockOptions): Promise<Lock>;
}
