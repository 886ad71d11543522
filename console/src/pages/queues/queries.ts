import { queryOptions } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

/** For what no event tells: steps, and what runs of other workspaces do. */
const REFRESH_MILLIS = 5_000;
/** Lines of limits are read anew for each person. */
const LINES_REFRESH_MILLIS = 5_000;
const LINES_SHOWN = 100;

export const queuesQuery = queryOptions({
  queryKey: ["queues"],
  queryFn: () => result(shared.GET("/api/v1/queues")),
  refetchInterval: REFRESH_MILLIS,
});

/** The first hundred lines of limits of a workspace. */
export function limitsQuery({ name, api }: CurrentWorkspace) {
  return queryOptions({
    queryKey: [name, "limits"],
    queryFn: () => result(api.GET("/limits", { params: { query: { page_size: LINES_SHOWN } } })),
    refetchInterval: LINES_REFRESH_MILLIS,
  });
}
