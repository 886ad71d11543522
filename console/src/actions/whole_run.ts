import { useQuery } from "@tanstack/react-query";
import type { Subject } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import type { Step } from "#/api/types.ts";
import { flowOf } from "#/parts/target.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

/** The run of a subject with its input, which streams leave out. */
export function useWholeRun({ workspace, api, run }: Subject, isNeeded: boolean) {
  return useQuery({
    queryKey: [workspace, "runs", run.id, "whole"],
    queryFn: () => result(api.GET("/runs/{id}", { params: { path: { id: run.id } } })),
    enabled: isNeeded,
    staleTime: 60_000,
  });
}

/** What queries about a step have where there is none; they are not asked. */
export const NO_STEP: Step = { job_id: "", key: "", kind: "script", state: "queued", attempt: 1 };

/** A step with its input and result, which streams leave out; null if nothing of it is stored yet. */
export function wholeStepQuery({ name, api }: Pick<CurrentWorkspace, "name" | "api">, run: string, step: Step) {
  return {
    queryKey: [name, "runs", run, "steps", step.key, step.state, step.end_time ?? "", step.attempt],
    queryFn: async () => {
      const query = { step: step.key, include_payloads: true };
      const found = await result(api.GET("/runs/{id}/steps", { params: { path: { id: run }, query } }));
      return found.items.at(-1) ?? null;
    },
    staleTime: 60_000,
  };
}

/** What a dialog about a step begins with: the step with its input, and the version of the flow that is deployed now. */
export function useStepAndVersion({ workspace, api, run, step }: Subject, isNeeded: boolean) {
  const flow = flowOf(run);
  return useQuery({
    queryKey: [workspace, "runs", run.id, "rerun", step?.key ?? "", step?.end_time ?? ""],
    queryFn: async () => {
      const whole = step === undefined ? null : await wholeStepQuery({ name: workspace, api }, run.id, step).queryFn();
      // Whoever may not see the flow, or nobody has deployed it: then the version of the run is the only choice.
      const deployed =
        flow === undefined ? undefined : (await api.GET("/flows/{path}", { params: { path: { path: flow } } })).data;
      return { step: whole ?? undefined, deployed: deployed?.hash };
    },
    enabled: isNeeded,
    gcTime: 0,
  });
}
