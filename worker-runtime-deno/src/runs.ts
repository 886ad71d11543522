/** Runs, started and followed while a job runs. */

import { RunFailed, RunTimeout } from "./errors.ts";
import type { Call } from "./lock.ts";
import { encodeValue } from "./results.ts";

const MILLIS_PER_SECOND = 1000;

/** Longest time that a job without a timeout waits for a run. */
export const RUN_WAIT_SECONDS_MAX = 365 * 24 * 3600;

/** What to start. Name either a script or a flow; its current version runs. */
export interface RunSpec {
  /** Path of the script. */
  readonly script?: string;
  /** Path of the flow. */
  readonly flow?: string;
  /** Whether a hash is given in place of a path: that version runs. False by default. */
  readonly isHash?: boolean;
  /** Arguments by name, at most 1 MiB as JSON. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Name of the start within the job, at most 150 characters. */
  readonly key?: string;
  /** Tag of the worker, for a script; by default that of its language. */
  readonly tag?: string;
  /** -1000 to 1000; jobs with a higher priority run earlier. */
  readonly priority?: number;
  /** Time before which the run does not begin. */
  readonly runAfter?: Date;
}

/** A run as it was found. */
export interface StartedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Path of its script or flow. */
  readonly name: string;
  readonly state: "queued" | "running" | "succeeded" | "failed" | "canceled";
  /** Result of a run that has succeeded. */
  readonly output?: unknown;
  /** Error of a run that has failed or was canceled. */
  readonly error?: { readonly name: string; readonly message: string };
}

/** Addresses with which a person answers a step, without a login. Whoever has them can use them. */
export interface WaitLink {
  readonly person: string;
  /** Path on the server that approves or completes. */
  readonly acceptPath: string;
  /** Path on the server that denies. */
  readonly denyPath: string;
  /** When both expire. */
  readonly expireTime: Date;
}

/** For how long to wait. */
export interface WaitOptions {
  /** Seconds; by default as long as the attempt may run, at most 365 days. */
  readonly timeout?: number;
}

/**
 * Runs of the workspace. The job has the rights of whoever started its run, at most with the role developer, and its runs
 * belong to the same person. A job that waits keeps its slot: runs that wait for one another need as many slots at once.
 */
export interface Runs {
  /**
   * Starts a run, and returns its id. A repeated attempt of the job does not start the run again: it gets the id of the run
   * that the attempt before has started, unless that run has failed or was canceled. Without a key, it does so for a start
   * with the same arguments, and several of them count by their number. With a key, the key alone decides.
   *
   * @example
   * ```ts
   * const id = await ctx.runs.start({ flow: "shop/ship", input: { order: 17 } });
   * ```
   *
   * @throws {CallFailed} There is no such script or flow, whoever started the run of the job may not run it, the input does
   * not fit or contains a secret that the job has read, the job has started 1,000 runs, the job has lost its lease, or the
   * scheduler cannot be reached.
   */
  start(spec: RunSpec): Promise<string>;
  /** Starts a run as `start` does, waits for its end, and returns its output as `result` does. */
  run<T = unknown>(spec: RunSpec, options?: WaitOptions): Promise<T>;
  /**
   * Waits for the end of a run, and returns whether it has ended.
   *
   * @throws {CallFailed} There is no such run, it is that of the job, or as for `start`.
   */
  wait(runId: string, options?: WaitOptions): Promise<boolean>;
  /**
   * Waits for the end of a run, and returns its output. Nothing checks that it is a `T`.
   *
   * @throws {RunFailed} The run has failed or was canceled.
   * @throws {RunTimeout} It has not ended in time.
   * @throws {CallFailed} There is no such run, or as for `start`.
   */
  result<T = unknown>(runId: string, options?: WaitOptions): Promise<T>;
  /**
   * Returns a run as it is now.
   *
   * @throws {CallFailed} There is no such run, or as for `start`.
   */
  get(runId: string): Promise<StartedRun>;
  /**
   * Cancels a run; one that has ended stays as it is.
   *
   * @throws {CallFailed} There is no such run, whoever started the run of the job may not cancel it, or as for `start`.
   */
  cancel(runId: string, reason?: string): Promise<void>;
  /**
   * Signs links with which people answer a step of this run, which need not wait yet.
   *
   * @param step Key of the step that will wait.
   * @param people Names of the people; by default whoever started the run.
   * @param options.validFor Seconds for which the links are valid, at most 366 days; by default 30 days.
   * @throws {CallFailed} The step no longer waits, or whoever started the run may answer for nobody else, as service accounts
   * may that act for others; or as for `start`.
   */
  waitLinks(step: string, people?: readonly string[], options?: { readonly validFor?: number }): Promise<WaitLink[]>;
}

interface Found {
  readonly run_id: string;
  readonly name: string;
  readonly state: StartedRun["state"];
  readonly output?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

interface Signed {
  readonly person: string;
  readonly accept_path: string;
  readonly deny_path: string;
  readonly expire_time: string;
}

/**
 * Returns the runs that the job may use.
 *
 * @param secondsLeft how long the attempt may still run
 */
export function runsOf(call: Call, secondsLeft: () => number): Runs {
  const counts = new Map<string, number>();
  const runs: Runs = {
    start: async ({ runAfter, key, isHash = false, ...spec }) => {
      const args = {
        script: "",
        flow: "",
        tag: "",
        priority: 0,
        ...spec,
        input: spec.input ?? {},
        is_hash: isHash,
      };
      const name = key === undefined || key === "" ? numbered(counts, await digest(args)) : `key:${key}`;
      // The time is no part of the key, as most scripts count from the present time.
      const time = runAfter === undefined ? {} : { run_after_ms: runAfter.getTime() };
      return await call("run.start", { ...args, ...time, key: name }) as string;
    },
    run: async <T>(spec: RunSpec, options: WaitOptions = {}) => await runs.result<T>(await runs.start(spec), options),
    wait: async (runId, { timeout } = {}) => {
      const left = secondsLeft();
      const seconds = Math.max(0, Math.min(timeout ?? left, left));
      return await call("run.await", { run_id: runId, wait_ms: Math.trunc(seconds * MILLIS_PER_SECOND) }) === true;
    },
    result: async <T>(runId: string, options: WaitOptions = {}) => {
      if (!await runs.wait(runId, options)) {
        throw new RunTimeout(`Run ${runId} has not ended in time. It goes on: wait longer, or cancel it.`);
      }
      const found = await runs.get(runId);
      if (found.state === "succeeded") return found.output as T;
      throw new RunFailed(found);
    },
    get: async (runId) => {
      const { run_id, ...found } = await call("run.get", { run_id: runId }) as Found;
      return { runId: run_id, ...found };
    },
    cancel: async (runId, reason = "") => void await call("run.cancel", { run_id: runId, reason }),
    waitLinks: async (step, people = [], { validFor } = {}) => {
      const args = { step, people, ...(validFor === undefined ? {} : { valid_ms: validFor * MILLIS_PER_SECOND }) };
      const signed = await call("wait.sign", args) as Signed[];
      return signed.map((link) => ({
        person: link.person,
        acceptPath: link.accept_path,
        denyPath: link.deny_path,
        expireTime: new Date(link.expire_time),
      }));
    },
  };
  return runs;
}

/** Returns a key that a repeated attempt makes for the same start: what is started, and how many were before. */
function numbered(counts: Map<string, number>, content: string): string {
  const number = (counts.get(content) ?? 0) + 1;
  counts.set(content, number);
  return `${content}/${number}`;
}

async function digest(args: unknown): Promise<string> {
  const sorted = JSON.stringify(JSON.parse(encodeValue(args, "arguments")), (_, value) => sortedKeys(value));
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sorted));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1));
}
