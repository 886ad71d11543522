import type { RunState } from "#/api/types.ts";
import { apiQuery, type RunFilters } from "#/pages/runs/filters.ts";

/** What a list offers to do with many runs at once. */
export const BULK_OPERATIONS = ["cancel", "retry", "rerun", "restart", "pause", "resume"] as const;
export type BulkOperationName = (typeof BULK_OPERATIONS)[number];

/** States for what the server has no default. */
const STATES_MEANT: { readonly [name in BulkOperationName]?: RunState[] } = {
  restart: ["succeeded", "failed", "canceled"],
  rerun: ["failed"],
};

/** Which runs an operation on a list applies to: all that match, by the filter of the list. */
export function bulkFilter(operation: BulkOperationName, filters: RunFilters, now: number) {
  const { state: states = STATES_MEANT[operation], ...others } = apiQuery(filters, now);
  return { ...others, ...(states === undefined ? {} : { states }) };
}

/** The options of a command that select the same runs. */
export function selectionOptions(filter: ReturnType<typeof bulkFilter>): readonly string[] {
  const { name, states, created_from: since, input = [], output = [], tag, started_by: starter } = filter;
  const options = [
    ...(name === undefined ? [] : ["--name", name]),
    ...(states === undefined ? [] : ["--state", states.join(",")]),
    ...(since === undefined ? [] : ["--since", since]),
    ...input.flatMap((condition) => ["--with-input", condition]),
    ...output.flatMap((condition) => ["--with-output", condition]),
    ...(tag === undefined ? [] : ["--tag", tag]),
    ...(starter === undefined ? [] : ["--started-by", starter]),
  ];
  return options.length === 0 ? ["--all"] : options;
}
