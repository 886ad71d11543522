import type { Blobs } from "./blobs.ts";
import type { Lock, LockOptions } from "./lock.ts";
import type { Logger } from "./logger.ts";
import type { RunData } from "./run_data.ts";
import type { Runs } from "./runs.ts";
import type { Resources, Secrets, State } from "./values.ts";

/** The running job. `current` returns it, and `main` receives it as its last parameter if that is named `ctx`. */
export interface Context {
  /** Id of the job. */
  readonly jobId: string;
  /** Id of the run that the job belongs to. */
  readonly runId: string;
  /** Key of the flow's step, such as `count[3]`; empty if the script runs without a flow. */
  readonly step: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** W3C trace context of the job; empty if there is none. */
  readonly traceparent: string;
  /** W3C `tracestate`, which goes with `traceparent`; empty if there is none. */
  readonly tracestate: string;
  /**
   * A UUID of this step of this run, the same in all its attempts. Pass it to services that must not do the same work
   * twice.
   */
  readonly idempotencyKey: string;
  /**
   * Path of the folder that the steps of a `same_worker` group share, also reached as `./shared`; undefined for a step
   * outside of such groups.
   */
  readonly sharedFolder: string | undefined;
  /** Name of this step of this run, the same in all its attempts: `RUN_ID/STEP`. */
  readonly stepToken: string;
  /** Data that the steps of the run share. */
  readonly data: RunData;
  /** Secrets of the workspace. */
  readonly secrets: Secrets;
  /** Resources of the workspace. */
  readonly resources: Resources;
  /** What this step of the flow, or this script, remembers from one run to the next. */
  readonly state: State;
  /** Runs of the workspace, to start and follow them. */
  readonly runs: Runs;
  /** Blobs of the workspace: values that are too large for inputs and results. */
  readonly blobs: Blobs;
  /** Workspace of the job. */
  readonly workspace: string;
  /** Writes lines with a level and fields to the log of the job. */
  readonly logger: Logger;
  /** Time at which this attempt times out; undefined if it has no timeout. */
  readonly deadline: Date | undefined;
  /** Aborted when the job is canceled or times out; pass it to all that waits. */
  readonly signal: AbortSignal;
  /**
   * Tells how far the job is, by any JSON value. It becomes a line in the stream of traces, at most once a second: values in
   * between are left out.
   *
   * @throws {ResultError} The value cannot be written as JSON.
   */
  progress(value: unknown): void;
  /** Records a message about the step, kept with its log in a separate stream. */
  trace(message: string): void;
  /**
   * Acquires a mutex of the folder of the run, and waits while others hold it. A job that holds the mutex may acquire it again. The
   * mutex becomes free when all holds are released, when its time is over, and when the job ends. A further attempt of the
   * job takes it over.
   *
   * @example
   * ```ts
   * await using lock = await ctx.lock("invoice-17", { ttl: 60 });
   * ```
   *
   * @throws {LockTimeout} Others held it all the time.
   * @throws {CallFailed} The job has lost its lease, or the scheduler cannot be reached.
   */
  lock(name: string, options?: LockOptions): Promise<Lock>;
}
