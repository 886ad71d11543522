import { useQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { Run, Step } from "#/api/types.ts";
import { isInsideFolded } from "#/live/folded.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const POLL_MILLIS = 1_000;

/** The step that is selected, also one inside a large loop, which the stream of the run leaves out. */
export function useSelectedStep(
  { name, api }: CurrentWorkspace,
  run: Run,
  steps: ReadonlyMap<string, Step>,
  selected: string | undefined,
): Step | undefined {
  const isLeftOut = selected !== undefined && isInsideFolded(selected, steps);
  const { data } = useQuery({
    queryKey: [name, "runs", run.id, "step", selected, isEnded(run.state)],
    queryFn: async () => {
      const query = { step: selected ?? "" };
      const found = await result(api.GET("/runs/{id}/steps", { params: { path: { id: run.id }, query } }));
      return found.items.at(-1) ?? null;
    },
    enabled: isLeftOut,
    refetchInterval: isEnded(run.state) ? false : POLL_MILLIS,
  });
  return selected === undefined ? undefined : (steps.get(selected) ?? (isLeftOut ? (data ?? undefined) : undefined));
}
