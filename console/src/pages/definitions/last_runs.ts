import { queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { Run } from "#/api/types.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

/** Newest runs that are looked at: one call for a list, rather than one for each of its entries. */
const RUNS_MAX = 500;
const REFRESH_MILLIS = 10_000;

/** The last run of each flow and script by its path, for those that are among the newest runs of the workspace. */
export function lastRunsQuery({ name, api }: CurrentWorkspace) {
  return queryOptions({
    queryKey: [name, "runs", "last"],
    queryFn: async () => {
      const { items } = await result(api.GET("/runs", { params: { query: { page_size: RUNS_MAX } } }));
      return lastRuns(items);
    },
    refetchInterval: REFRESH_MILLIS,
  });
}

/** The newest run of each name. */
export function lastRuns(newestFirst: readonly Run[]): ReadonlyMap<string, Run> {
  return new Map([...newestFirst].reverse().map((run) => [run.name, run]));
}
