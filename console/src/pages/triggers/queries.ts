import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { TriggerKind } from "#/api/types.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const REFRESH_MILLIS = 5_000;
const LIST_SIZE = 1_000;
const HISTORY_SIZE = 50;

/** The first thousand triggers of a kind by path. */
export function triggersQuery({ name, api }: CurrentWorkspace, kind: TriggerKind) {
  return queryOptions({
    queryKey: [name, "triggers", kind],
    queryFn: () => result(api.GET("/triggers/{kind}", { params: { path: { kind }, query: { page_size: LIST_SIZE } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

export function triggerQuery({ name, api }: CurrentWorkspace, kind: TriggerKind, path: string) {
  return queryOptions({
    queryKey: [name, "triggers", kind, path],
    queryFn: () => result(api.GET("/triggers/{kind}/{path}", { params: { path: { kind, path } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

/** What a trigger has started and what it has refused, the newest first. */
export function eventsQuery({ name, api }: CurrentWorkspace, kind: TriggerKind, path: string) {
  return infiniteQueryOptions({
    queryKey: [name, "triggers", kind, path, "events"],
    queryFn: ({ pageParam }) => {
      const query = { page_size: HISTORY_SIZE, ...(pageParam === "" ? {} : { page_token: pageParam }) };
      return result(api.GET("/trigger-events/{kind}/{path}", { params: { path: { kind, path }, query } }));
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
    refetchInterval: REFRESH_MILLIS,
  });
}
