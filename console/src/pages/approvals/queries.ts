import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";
import { useWorkspaceEvents } from "#/live/use_workspace_events.ts";
import { OF_WAITS } from "#/live/wanted.ts";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";

const REFRESH_MILLIS = 10_000;
const PAGE_SIZE = 100;

/** What waits for people in all runs of a workspace, the oldest wait first. */
export function pendingQuery({ name, api }: CurrentWorkspace) {
  return infiniteQueryOptions({
    queryKey: [name, "pending-waits"],
    queryFn: ({ pageParam }) => {
      const query = { page_size: PAGE_SIZE, ...(pageParam === "" ? {} : { page_token: pageParam }) };
      return result(api.GET("/pending-waits", { params: { query } }));
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
    refetchInterval: REFRESH_MILLIS,
  });
}

/** What a signed link is for. Looking at it changes nothing. */
export function linkQuery(run: string, token: string) {
  return queryOptions({
    queryKey: ["wait-link", run, token],
    queryFn: () => result(shared.GET("/api/v1/runs/{id}/wait-links/{token}", { params: { path: { id: run, token } } })),
    refetchOnWindowFocus: false,
  });
}

/** What waits for people, kept current by events. */
export function usePending() {
  const workspace = useWorkspace();
  const pending = useInfiniteQuery(pendingQuery(workspace));
  useWorkspaceEvents(workspace.url, OF_WAITS, () => void pending.refetch());
  return pending;
}
