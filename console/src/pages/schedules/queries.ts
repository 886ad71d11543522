import { queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const REFRESH_MILLIS = 5_000;
const LIST_SIZE = 1_000;
const TIMES_SHOWN = 12;
const HISTORY_SIZE = 50;

/** The first thousand schedules of a workspace by path. */
export function schedulesQuery({ name, api }: CurrentWorkspace) {
  return queryOptions({
    queryKey: [name, "schedules"],
    queryFn: () => result(api.GET("/schedules", { params: { query: { page_size: LIST_SIZE } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

export function scheduleQuery({ name, api }: CurrentWorkspace, path: string) {
  return queryOptions({
    queryKey: [name, "schedules", path],
    queryFn: () => result(api.GET("/schedules/{path}", { params: { path: { path } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

/** The next times, computed by the server, which knows the rules of the zone and the days without runs. */
export function timesQuery({ name, api }: CurrentWorkspace, path: string, version: number) {
  return queryOptions({
    queryKey: [name, "schedules", path, "times", version],
    queryFn: () =>
      result(api.GET("/schedule-times/{path}", { params: { path: { path }, query: { count: TIMES_SHOWN } } })),
    refetchInterval: 30_000,
  });
}

/** What the schedule has started and what not, the newest first. */
export function historyQuery({ name, api }: CurrentWorkspace, path: string) {
  return queryOptions({
    queryKey: [name, "schedules", path, "history"],
    queryFn: () =>
      result(api.GET("/schedule-history/{path}", { params: { path: { path }, query: { page_size: HISTORY_SIZE } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

export function backfillsQuery({ name, api }: CurrentWorkspace, path: string) {
  return queryOptions({
    queryKey: [name, "schedules", path, "backfills"],
    queryFn: () => result(api.GET("/schedule-backfills/{path}", { params: { path: { path } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

export function versionsQuery({ name, api }: CurrentWorkspace, path: string, version: number) {
  return queryOptions({
    queryKey: [name, "schedules", path, "versions", version],
    queryFn: () => result(api.GET("/schedule-versions/{path}", { params: { path: { path } } })),
  });
}
