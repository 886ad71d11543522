/** Mutexes between jobs. */

import { LockTimeout } from "./errors.ts";

const MILLIS_PER_SECOND = 1000;
const TTL_SECONDS = 30;

/** How a mutex is taken. */
export interface LockOptions {
  /** Seconds for which it is held unless it is released, at most a day; 30 unless given. */
  readonly ttl?: number;
  /** Seconds to wait while others hold it; for as long as the attempt has time unless given. */
  readonly wait?: number;
}

/** A mutex that the job holds. Release it, or declare it with `await using`. */
export interface Lock extends AsyncDisposable {
  /** Name of the mutex. */
  readonly name: string;
  /** Grows each time the mutex changes hands, from one attempt to the next too: a resource that remembers the highest one can refuse whoever has lost it. */
  readonly fence: number;
  /** Gives the hold back; results in false where it was over before. */
  release(): Promise<boolean>;
}

/** Asks the host. */
export type Call = (method: string, args: Record<string, unknown>) => Promise<unknown>;

/** Takes a mutex; `secondsLeft` is how long to wait unless the options say less. */
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
