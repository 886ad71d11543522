/** Data that the steps of a run share. */

import type { Call } from "./lock.ts";

/**
 * Values by key that all steps of the run see, and further attempts of this one too. A value stays once `set` has resolved,
 * whatever becomes of the attempt. Of several for a key, the last one stays.
 */
export interface RunData {
  /**
   * Writes a value.
   *
   * @param key 1 to 256 characters; a run has at most 1,000.
   * @param value Any JSON value of at most 256 KiB.
   * @throws {CallFailed} The job is no longer this worker's, or the scheduler cannot be asked.
   */
  set(key: string, value: unknown): Promise<void>;
  /** Reads a value; undefined where no step has written any. Throws as `set` does. */
  get(key: string): Promise<unknown>;
}

/** The data of the job's run. */
export function runData(call: Call): RunData {
  return {
    set: async (key, value) => void await call("data.set", { key, value: value ?? null }),
    get: async (key) => {
      const answer = await call("data.get", { key }) as { readonly value: unknown } | null;
      return answer?.value;
    },
  };
}
