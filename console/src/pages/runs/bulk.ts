import type { Run, RunState } from "#/api/types.ts";
import { looksIntoRuns, RANGES, type RunFilters } from "#/pages/runs/filters.ts";

/** What a list offers to do with many runs at once. */
export const BULK_OPERATIONS = ["cancel", "retry", "rerun", "restart", "pause", "resume"] as const;
export type BulkOperationName = (typeof BULK_OPERATIONS)[number];

/** Number of runs that an operation may name by their ids. */
const IDS_MAX = 10_000;
/** States for what the server has no default. */
const STATES_MEANT: { readonly [name in BulkOperationName]?: RunState[] } = {
  restart: ["succeeded", "failed", "canceled"],
  rerun: ["failed"],
};

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
  if (looksIntoRuns(filters) || (name !== undefined && !flows.has(name))) {
    return { run_ids: loaded.slice(0, IDS_MAX).map((run) => run.id) };
  }
  const states = state ?? STATES_MEANT[operation];
  return {
    filter: {
      ...(name === undefined ? {} : { flow: name }),
      ...(states === undefined ? {} : { states }),
      ...(since === undefined ? {} : { created_from: new Date(now - RANGES[since]).toISOString() }),
    },
  };
}

/** The options of a command that select the same runs. */
export function selectionOptions(targets: ReturnType<typeof bulkTargets>): readonly string[] {
  const { run_ids: ids, filter } = targets;
  if (filter === undefined) {
    return ids;
  }
  const { flow, states, created_from: since } = filter;
  const options = [
    ...(flow === undefined ? [] : ["--flow", flow]),
    ...(states === undefined ? [] : ["--state", states.join(",")]),
    ...(since === undefined ? [] : ["--since", since]),
  ];
  return options.length === 0 ? ["--all"] : options;
}
