import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Run } from "#/api/types.ts";
import { type Attempt, attemptsOf } from "#/pages/run/timeline/attempts.ts";
import { traceQuery } from "#/pages/run/trace/trace_query.ts";
import { useWorkspace } from "#/shell/workspace.ts";

const NONE: ReadonlyMap<string, readonly Attempt[]> = new Map();

/** The attempts at each job of the run that had several. Asks only if there are such. */
export function useAttempts(run: Run, isNeeded: boolean): ReadonlyMap<string, readonly Attempt[]> {
  const { data } = useQuery({ ...traceQuery(useWorkspace(), run), enabled: isNeeded });
  return useMemo(() => (data?.spans === undefined ? NONE : attemptsOf(data.spans)), [data]);
}
