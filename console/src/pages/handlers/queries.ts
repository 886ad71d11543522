import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const REFRESH_MILLIS = 5_000;
const LIST_SIZE = 1_000;
const HISTORY_SIZE = 50;

/** The first thousand event handlers by path. */
export function handlersQuery({ name, api }: CurrentWorkspace) {
  return queryOptions({
    queryKey: [name, "handlers"],
    queryFn: () => result(api.GET("/event-handlers", { params: { query: { page_size: LIST_SIZE } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

export function handlerQuery({ name, api }: CurrentWorkspace, path: string) {
  return queryOptions({
    queryKey: [name, "handlers", path],
    queryFn: () => result(api.GET("/event-handlers/{path}", { params: { path: { path } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

/** What a handler has done with messages, the newest first. */
export function executionsQuery({ name, api }: CurrentWorkspace, path: string) {
  return infiniteQueryOptions({
    queryKey: [name, "handlers", path, "executions"],
    queryFn: ({ pageParam }) => {
      const query = { page_size: HISTORY_SIZE, ...(pageParam === "" ? {} : { page_token: pageParam }) };
      return result(api.GET("/event-executions/{path}", { params: { path: { path }, query } }));
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
    refetchInterval: REFRESH_MILLIS,
  });
}
