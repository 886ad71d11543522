/** Mutexes shared by jobs. */

import { LockTimeout } from "./errors.ts";

const MILLIS_PER_SECOND = 1000;
const TTL_SECONDS = 30;

/** Longest time that a job without a timeout waits for a mutex. */
export const LOCK_WAIT_SECONDS_MAX = 365 * 24 * 3600;

/** Options for acquiring a mutex. */
export interface LockOptions {
  /** Seconds after which the hold ends unless it is released, at most a day; 30 by default. */
  readonly ttl?: number;
  /** Seconds to wait while others hold it; by default as long as the attempt may run, at most 365 days. */
  readonly wait?: number;
}

/** A mutex that the job holds. Release it, or declare it with `await using`. */
export interface Lock extends AsyncDisposable {
  /** Name of the mutex. */
  readonly name: string;
  /**
   * Fencing token, which grows each time the mutex changes hands, also between attempts of one job. A resource that
   * remembers the highest token can reject callers that have lost the mutex.
   */
  readonly fence: number;
  /** Releases the hold; resolves to false if it had ended before. */
  release(): Promise<boolean>;
}

/** Calls a method of the host. */
export type Call = (method: string, args: Record<string, unknown>) => Promise<unknown>;

/** Acquires a mutex; `secondsLeft` limits the wait, which the options can shorten. */
export async function takeLock(call: Call, name: string, options: LockOptions, secondsLeft: number): Promise<Lock> {
  const wait = Math.max(0, Math.min(options.wait ?? secondsLeft, secondsLeft));
  const args = {
    name,
    ttl_ms: Math.trunc((options.ttl ?? TTL_SECONDS) * MILLIS_PER_SECOND),
    wait_ms: Math.trunc(wait * MILLIS_PER_SECOND),
    hold: crypto.randomUUID(),
  };
  const taken = await call("lock.acquire", args) as { readonly fence: number } | null;
  if (taken === null) {
    throw new LockTimeout(
      `The mutex "${name}" was held by others for all of the ${Number(wait.toFixed(1))} seconds that this job waited.`,
    );
  }
  let isHeld = true;
  const release = async (): Promise<boolean> => {
    if (!isHeld) return false;
    isHeld = false;
    return await call("lock.release", args) === true;
  };
  return { name, fence: taken.fence, release, [Symbol.asyncDispose]: async () => void await release() };
}
