import type { Worker } from "#/api/types.ts";

/** How far a drained worker is: `working` while it has jobs or may still get some; null for a worker that gets jobs. */
export function drainState({ drain, leased_jobs = 0 }: Worker): "working" | "empty" | null {
  if (drain === undefined) {
    return null;
  }
  return leased_jobs === 0 && drain.groups === 0 ? "empty" : "working";
}
