import type { Run } from "#/api/types.ts";
import { looksIntoPayloads, RANGES, type RunFilters } from "#/pages/runs/filters.ts";

/** What a list offers to do with many runs at once. */
export const BULK_OPERATIONS = ["cancel", "retry", "restart", "pause", "resume"] as const;
export type BulkOperationName = (typeof BULK_OPERATIONS)[number];

/** Number of runs that an operation may name by their ids. */
const IDS_MAX = 10_000;
const ENDED = ["succeeded", "failed", "canceled"] as const;

/**
 * Which runs an operation on a list applies to: all that match, as far as the server can find them by the same filter, else
 * those that are loaded.
 */
export function bulkTargets(
  operation: BulkOperationName,
  filters: RunFilters,
  loaded: readonly Run[],
  flows: ReadonlySet<string>,
  now: number,
) {
  const { name, state, since } = filters;
  if (looksIntoPayloads(filters) || (name !== undefined && !flows.has(name))) {
    return { run_ids: loaded.slice(0, IDS_MAX).map((run) => run.id) };
  }
  // Only a restart needs states; the others apply to the runs that they can change.
  const states = state ?? (operation === "restart" ? [...ENDED] : undefined);
  return {
    filter: {
      ...(name === undefined ? {} : { flow: name }),
      ...(states === undefined ? {} : { states }),
      ...(since === undefined ? {} : { created_from: new Date(now - RANGES[since]).toISOString() }),
    },
  };
}
