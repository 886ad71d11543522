/** Gives leased jobs to handlers, as many at once as the worker has slots. */

import { Attempt, type Handler } from "./attempt.ts";
import type { JobApiConnection } from "./job_api.ts";
import type { LeasedJob } from "./leased_job.ts";
import type { JobEngine } from "./session_jobs.ts";
import { after } from "../timing/sleep.ts";
import { Wakes } from "./wakes.ts";

const STOPPING = "The worker is stopping.";

/** What the engine needs of the session. */
export interface EngineSession {
  /** Whether jobs may begin: the session is certainly alive, and the scheduler keeps up with logs. */
  readonly mayBegin: () => boolean;
  /** Returns the present connection, for calls of jobs. */
  readonly connection: () => JobApiConnection;
}

/** Runs jobs in handlers. A canceled job keeps its slot until its handler has ended. */
export class HandlerEngine implements JobEngine {
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #slots: number;
  readonly #session: EngineSession;
  readonly #ended = new Wakes();
  #waiting: LeasedJob[] = [];
  readonly #running = new Map<LeasedJob, Attempt>();
  #isDraining = false;

  constructor(handlers: ReadonlyMap<string, Handler>, slots: number, session: EngineSession) {
    this.#handlers = handlers;
    this.#slots = slots;
    this.#session = session;
  }

  accept(job: LeasedJob): void {
    const name = handlerOf(job);
    if (!this.#handlers.has(name)) {
      job.fail({ name: "NoSuchHandler", message: `This worker has no handler named "${name}".`, retryable: true });
    } else if (this.#isDraining) {
      job.giveBack(STOPPING);
    } else {
      this.#waiting.push(job);
      this.resume();
    }
  }

  resume(): void {
    while (this.#waiting.length > 0 && this.#running.size < this.#slots && this.#session.mayBegin()) {
      const job = this.#waiting.shift();
      const handler = job === undefined ? undefined : this.#handlers.get(handlerOf(job));
      if (job !== undefined && handler !== undefined && job.isHeld) void this.#run(job, handler);
    }
  }

  stop(job: LeasedJob): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== job);
    this.#running.get(job)?.interrupt();
  }

  /** Begins no further jobs: returns those that wait, and any that still arrive. */
  drain(): void {
    this.#isDraining = true;
    for (const job of this.#waiting.splice(0)) job.giveBack(STOPPING);
  }

  /** Waits until no job runs; resolves to false if the time ends before. */
  async awaitIdle(millis: number): Promise<boolean> {
    const end = performance.now() + millis;
    while (this.#running.size > 0) {
      const left = end - performance.now();
      if (left <= 0) return false;
      await this.#ended.wait(left);
    }
    return true;
  }

  /** Asks all running handlers to stop. */
  interruptAll(): void {
    for (const attempt of this.#running.values()) attempt.interrupt();
  }

  async #run(job: LeasedJob, handler: Handler): Promise<void> {
    const attempt = new Attempt(job, handler, this.#session.connection);
    this.#running.set(job, attempt);
    const timedOut = (): void => {
      job.timeOut();
      attempt.interrupt();
    };
    const cancelTimer = job.timeoutMillis > 0 ? after(job.timeoutMillis, timedOut) : undefined;
    try {
      await attempt.run();
    } finally {
      cancelTimer?.();
      this.#running.delete(job);
      this.#ended.wake();
      this.resume();
    }
  }
}

function handlerOf(job: LeasedJob): string {
  const { target } = job.lease;
  return target.case === "handler" ? target.value : "";
}
