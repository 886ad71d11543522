import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Run, Step } from "#/api/types.ts";
import { type Attempt, attemptsOf, hasAll } from "#/pages/run/timeline/attempts.ts";
import { traceQuery } from "#/pages/run/trace/trace_query.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { flowOf } from "#/parts/target.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/**
 * The attempts at each job of the run that had several or waits for its second one. They are in its trace, which may be long, so it is read again only
 * until all are there.
 *
 * @param retried the present attempts at jobs by their ids; if there are none, nothing is asked
 */
export function useAttempts(run: Run, retried: ReadonlyMap<string, number>): ReadonlyMap<string, readonly Attempt[]> {
  const query = traceQuery(useWorkspace(), run);
  const { data } = useQuery({
    ...query,
    enabled: retried.size > 0,
    refetchInterval: ({ state: { data: known } }) =>
      known !== undefined && (known.truncated === true || hasAll(attemptsOf(known.spans ?? [], retried), retried))
        ? false
        : query.refetchInterval,
  });
  return useMemo(() => attemptsOf(data?.spans ?? [], retried), [data, retried]);
}

/**
 * The present attempts at jobs that had earlier ones. Of the job of a run without a flow, nobody knows how many; once it has
 * ended, it waits for none.
 */
export function retriedJobs(run: Run, steps: ReadonlyMap<string, Step>): ReadonlyMap<string, number> {
  if (flowOf(run) === undefined) {
    return new Map([[run.id, isEnded(run.state) ? 1 : Number.POSITIVE_INFINITY]]);
  }
  return new Map([...steps.values()].flatMap((step) => (step.attempt > 1 ? [[step.job_id, step.attempt]] : [])));
}
