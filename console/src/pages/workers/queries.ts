import { queryOptions, useQuery } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";
import { useWorkspaceEvents } from "#/live/use_workspace_events.ts";
import { OF_WORK } from "#/live/wanted.ts";
import { useWorkspace } from "#/shell/workspace.ts";

const PAGE_SIZE = 50;
/** For what no event tells: heartbeats, processes, and jobs of other workspaces. */
const REFRESH_MILLIS = 5_000;

/** The first fifty workers, with their processes if so asked. */
export function workersQuery(processes: boolean) {
  return queryOptions({
    queryKey: ["workers", processes],
    queryFn: () => result(shared.GET("/api/v1/workers", { params: { query: { processes, page_size: PAGE_SIZE } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

/** The first fifty workers, kept current by events. */
export function useWorkers(processes: boolean) {
  const { url } = useWorkspace();
  const workers = useQuery(workersQuery(processes));
  useWorkspaceEvents(url, OF_WORK, () => void workers.refetch());
  return workers;
}
