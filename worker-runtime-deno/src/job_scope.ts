/** Resources that belong to one job and end with it. */

import { newAsyncVariable } from "./deno_internals.ts";

/** Return type of `setTimeout`. */
export type Timer = ReturnType<typeof setTimeout>;

/** A process started by a job. */
export interface Stray {
  readonly pid: number | undefined;
  kill(signal: "SIGKILL"): unknown;
}

/** The job that code belongs to, wherever it runs: after an await, in a timer, or long after the end of the job. */
export class JobScope {
  readonly jobId: string;
  /** Rejects if code of the job fails outside of `main`'s own promise. */
  readonly failed: Promise<never>;
  /** Fails the job. Has no effect after its end. */
  readonly fail: (error: unknown) => void;
  /** Timers that have not fired yet. */
  readonly timers = new Set<Timer>();
  /** Processes that have not ended yet. */
  readonly processes = new Map<Stray, string>();
  /** Remove listeners that the job has added to the process. */
  readonly listeners: (() => void)[] = [];
  isEnded = false;
  /** When the job started its first program, in milliseconds since 1970; undefined if it has started none. */
  firstProgramTime: number | undefined;

  constructor(jobId: string) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.jobId = jobId;
    running = this;
    this.failed = promise;
    this.fail = reject;
  }

  /** Ends timers, listeners and processes that the job left behind; returns a line for its log, or an empty string. */
  end(): string {
    this.isEnded = true;
    running = undefined;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    for (const remove of this.listeners.splice(0)) remove();
    const names = [...this.processes].map(([stray, name]) => {
      try {
        stray.kill("SIGKILL");
      } catch {
        // It has ended by itself, and nobody has told us yet.
      }
      return `${name} (pid ${stray.pid})`;
    });
    if (names.length === 0) return "";
    const noun = names.length === 1 ? "process" : "processes";
    return `Stopped ${names.length} ${noun} that the job had left behind: ${names.join(", ")}.\n`;
  }
}

/** Taken before user code can replace it. */
const { now } = Date;

/** Whether the script's top level has started programs, which run beside its jobs. */
let scriptHasPrograms = false;

/** Notes that the calling code starts a program. */
export function noteProgram(): void {
  const scope = currentScope() ?? running;
  if (scope === undefined) scriptHasPrograms = true;
  else scope.firstProgramTime ??= now();
}

/** Whether all programs of this process belong to jobs. */
export function allProgramsAreOfJobs(): boolean {
  return !scriptHasPrograms;
}

/** Scope of the job that has not ended. */
let running: JobScope | undefined;

const variable = newAsyncVariable<JobScope>();

/** Sets `scope` for all code that the caller runs from this call on. */
export function enterScope(scope: JobScope | undefined): void {
  variable.enter(scope as JobScope);
}

/** Returns the scope of the calling code; undefined for code that the script's top level started. */
export function currentScope(): JobScope | undefined {
  return variable.get();
}

/** Returns the scope of the job that has not ended, whichever code calls. */
export function runningScope(): JobScope | undefined {
  return running;
}
