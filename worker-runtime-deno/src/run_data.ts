/** Data that the steps of a run share. */

import type { Call } from "./lock.ts";

/**
 * Values by key that all steps of the run can read, and so can further attempts of this step. A value stays once `set`
 * has resolved, even if the attempt fails. The last of several writes to a key wins.
 */
export interface RunData {
  /**
   * Writes a value.
   *
   * @param key 1 to 256 characters; a run has at most 1,000 keys.
   * @param value Any JSON value of at most 256 KiB.
   * @throws {CallFailed} The job has lost its lease, or the scheduler cannot be reached.
   */
  set(key: string, value: unknown): Promise<void>;
  /** Reads a value; undefined if no step has written one. Throws as `set` does. */
  get(key: string): Promise<unknown>;
}

/** Returns the data of the job's run. */
export function runData(call: Call): RunData {
  return {
    set: async (key, value) => void await call("data.set", { key, value: value ?? null }),
    get: async (key) => {
      const answer = await call("data.get", { key }) as { readonly value: unknown } | null;
      return answer?.value;
    },
  };
}
