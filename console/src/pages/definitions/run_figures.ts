import type { Run } from "#/api/types.ts";
import { runMillis } from "#/parts/own_times.ts";
import { isEnded } from "#/parts/state_badge.tsx";

/** How the runs of a flow or script went. */
export interface RunFigures {
  /** Runs that have ended. */
  readonly ended: number;
  /** Share of them that succeeded, from 0 to 1. */
  readonly succeeded: number;
  /** Milliseconds that half of them, and 95 of 100, took at most; undefined if none has begun. */
  readonly median: number | undefined;
  readonly p95: number | undefined;
}

/** Figures of the runs that have ended; undefined if none has. Results that were kept from earlier took no time. */
export function runFigures(runs: readonly Run[]): RunFigures | undefined {
  const ended = runs.filter((run) => isEnded(run.state));
  if (ended.length === 0) {
    return undefined;
  }
  const lengths = ended
    .filter((run) => run.from_cache !== true)
    .map(runMillis)
    .filter((millis) => millis !== undefined)
    .sort((one, other) => one - other);
  return {
    ended: ended.length,
    succeeded: ended.filter(({ state }) => state === "succeeded").length / ended.length,
    median: quantile(lengths, 0.5),
    p95: quantile(lengths, 0.95),
  };
}

/** The least value that a share of the sorted values does not exceed. */
function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.ceil(sorted.length * share) - 1];
}
