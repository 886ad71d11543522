import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const PROGRESS_MILLIS = 500;
const PAGE_SIZE = 100;

/** The operation on many runs that was started last; null if there is none. */
export function newestBulkQuery({ name, api }: CurrentWorkspace) {
  return queryOptions({
    queryKey: [name, "bulk-operations", "newest"],
    queryFn: () =>
      result(api.GET("/bulk-operations", { params: { query: { page_size: 1 } } })).then(
        ({ items = [] }) => items[0] ?? null,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** An operation on many runs, again and again until it has ended. */
export function bulkQuery({ name, api }: CurrentWorkspace, id: string) {
  return queryOptions({
    queryKey: [name, "bulk-operations", id],
    queryFn: () => result(api.GET("/bulk-operations/{id}", { params: { path: { id } } })),
    refetchInterval: (query) => (query.state.data?.end_time === undefined ? PROGRESS_MILLIS : false),
  });
}

/** What an operation has done, run by run. */
export function bulkRunsQuery({ name, api }: CurrentWorkspace, id: string, state: "failed" | undefined) {
  return infiniteQueryOptions({
    queryKey: [name, "bulk-operations", id, "runs", state ?? ""],
    queryFn: ({ pageParam }) => {
      const query = {
        page_size: PAGE_SIZE,
        ...(state === undefined ? {} : { state: [state] }),
        ...(pageParam === "" ? {} : { page_token: pageParam }),
      };
      return result(api.GET("/bulk-operations/{id}/runs", { params: { path: { id }, query } }));
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
  });
}
