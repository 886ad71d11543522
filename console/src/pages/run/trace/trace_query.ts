import { result } from "#/api/client.ts";
import type { Run } from "#/api/types.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const REFRESH_MILLIS = 3_000;

/** The spans of a run, read again while it goes on. */
export function traceQuery({ name, api }: Pick<CurrentWorkspace, "name" | "api">, run: Run) {
  return {
    queryKey: [name, "runs", run.id, "trace", isEnded(run.state)],
    queryFn: () => result(api.GET("/runs/{id}/trace", { params: { path: { id: run.id } } })),
    refetchInterval: isEnded(run.state) ? (false as const) : REFRESH_MILLIS,
  };
}
