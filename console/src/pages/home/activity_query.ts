import { queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

/** Schedulers store their counts every ten seconds. */
const REFRESH_MILLIS = 15_000;
const MINUTES = 60;

/** What a workspace did in the last hour. */
export function activityQuery({ name, api }: CurrentWorkspace) {
  return queryOptions({
    queryKey: [name, "activity"],
    queryFn: () => result(api.GET("/activity", { params: { query: { minutes: MINUTES } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}
