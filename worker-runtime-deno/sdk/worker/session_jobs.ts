/** Leases of the session, from their arrival until the scheduler has acknowledged their results. */

import {
  type CancelJob,
  type Lease,
  type ResultAck,
  ResultAck_Disposition as Disposition,
} from "../proto/millrace/worker/v1/session_pb.ts";
import { LeasedJob, type Limits } from "./leased_job.ts";
import type { Notify } from "./notify.ts";
import { keyOf, type LeaseId, type Outbox } from "./outbox.ts";
import type { SharedFolders } from "./shared_folders.ts";

/**
 * Most ended leases that are remembered. A scheduler that sends an ended lease again does so within seconds, during which a
 * worker ends fewer jobs.
 */
export const ENDED_MAX = 20_000;

/** Why a worker wants no jobs beside the one that runs alone. */
export const ALONE = "A job that may have ended its workers runs here, and nothing may run beside it.";

/** Runs leased jobs. */
export interface JobEngine {
  /** Runs the job when there is room and its lease is certain; ends it through `LeasedJob`. */
  accept(job: LeasedJob): void;
  /** Lets jobs begin that were held back. */
  resume(): void;
  /** Stops a dropped job: no result is expected. */
  stop(job: LeasedJob): void;
}

/**
 * Held leases, and those that have ended in this session. A lease begins at most once in a session, and never after its end,
 * even if the scheduler sends it again or cancels it before it sends it. A job that must run alone begins once all others have
 * ended, and those that arrive go back.
 */
export class SessionJobs {
  readonly #engine: JobEngine;
  readonly #outbox: Outbox;
  readonly #folders: SharedFolders;
  readonly #notify: Notify;
  readonly #held = new Map<string, LeasedJob>();
  readonly #ended = new Set<string>();
  #alone: LeasedJob | undefined;
  #aloneHasBegun = false;

  constructor(engine: JobEngine, outbox: Outbox, folders: SharedFolders, notify: Notify) {
    this.#engine = engine;
    this.#outbox = outbox;
    this.#folders = folders;
    this.#notify = notify;
  }

  /** Whether a job runs alone here, or waits to. */
  get isAlone(): boolean {
    return this.#alone !== undefined;
  }

  /** Returns the leases for a Hello that resumes the session. */
  leases(): LeaseId[] {
    return [...this.#held.values()].map(({ lease: { jobId, leaseToken } }) => ({ jobId, leaseToken }));
  }

  /** Takes leases, except those that are held already and those that have ended in this session. */
  accept(leases: readonly Lease[], limits: Limits): void {
    for (const lease of leases) {
      const key = keyOf(lease);
      if (this.#ended.has(key)) {
        const { jobId } = lease;
        this.#notify(
          "info",
          `The scheduler sent a lease of job ${jobId} that has ended here; it does not begin again.`,
        );
      } else if (!this.#held.has(key)) {
        this.#accept(lease, limits);
      }
    }
  }

  #accept(lease: Lease, limits: Limits): void {
    let job: LeasedJob;
    try {
      job = new LeasedJob(lease, limits, this.#outbox, this.#folders.hold(lease));
      this.#held.set(keyOf(lease), job);
    } catch (error) {
      job = new LeasedJob(lease, limits, this.#outbox);
      this.#held.set(keyOf(lease), job);
      const message = `The worker cannot give the job its shared folder: ${String(error)}`;
      job.fail({ name: "SharedFolderError", message, retryable: true });
      return;
    }
    if (this.#alone !== undefined) {
      job.giveBack(ALONE);
    } else if (lease.alone) {
      this.#alone = job;
      this.#aloneHasBegun = false;
      this.#outbox.wakes.wake();
      this.#beginAlone();
    } else {
      this.#engine.accept(job);
    }
  }

  /** Forgets jobs whose results the scheduler has answered. */
  acknowledge(acks: readonly ResultAck[]): void {
    for (const ack of acks) {
      const job = this.#end(ack);
      this.#outbox.acknowledgeResult(ack);
      this.#gone(job);
      if (ack.disposition === Disposition.REFUSED) {
        this.#notify("info", `The scheduler refused the late result of job ${ack.jobId}: ${ack.reason}`);
      }
    }
  }

  /** Stops jobs whose leases are lost. */
  cancel(cancels: readonly CancelJob[]): void {
    for (const cancel of cancels) this.#drop(cancel);
  }

  /** Drops all jobs: their session is lost, and other workers run them. */
  dropAll(reason: string): void {
    this.#notify("warning", `The session is lost, and its ${this.#held.size} jobs are dropped: ${reason}`);
    for (const lease of this.leases()) this.#drop(lease);
    this.#ended.clear();
  }

  /** Lets go of the jobs that have not ended: the goodbye of the worker returns them to the queue. */
  forsake(): void {
    for (const job of this.#held.values()) job.drop();
  }

  /** Reports again which jobs have begun, after the session was resumed. */
  tellStarted(): void {
    for (const job of this.#held.values()) job.tellStarted();
  }

  /** Returns the job that waits to run alone, if there is one. */
  giveBackWaiting(reason: string): void {
    if (!this.#aloneHasBegun) this.#alone?.giveBack(reason);
  }

  /** Ends a lease, which need not have arrived yet. Returns its job if it was held. */
  #end(lease: LeaseId): LeasedJob | undefined {
    const key = keyOf(lease);
    this.#ended.add(key);
    if (this.#ended.size > ENDED_MAX) {
      for (const oldest of this.#ended) {
        this.#ended.delete(oldest);
        break;
      }
    }
    const job = this.#held.get(key);
    this.#held.delete(key);
    return job;
  }

  #drop(lease: LeaseId): void {
    const job = this.#end(lease);
    if (job === undefined) return;
    const mustStop = job.drop();
    this.#outbox.forget(lease);
    if (mustStop && (job !== this.#alone || this.#aloneHasBegun)) this.#engine.stop(job);
    this.#gone(job);
  }

  #gone(job: LeasedJob | undefined): void {
    if (this.#alone === undefined || job === undefined) return;
    if (job === this.#alone) this.#alone = undefined;
    this.#beginAlone();
    this.#outbox.wakes.wake();
  }

  #beginAlone(): void {
    if (this.#alone === undefined || this.#aloneHasBegun || this.#held.size > 1) return;
    this.#aloneHasBegun = true;
    const { jobId } = this.#alone.lease;
    this.#notify("info", `The job ${jobId} runs alone here, because its workers were lost before.`);
    this.#engine.accept(this.#alone);
  }
}
