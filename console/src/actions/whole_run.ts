import { useQuery } from "@tanstack/react-query";
import type { Subject } from "#/actions/action.ts";
import { result } from "#/api/client.ts";

/** The run of a subject with its input, which streams leave out. */
export function useWholeRun({ workspace, api, run }: Subject, isNeeded: boolean) {
  return useQuery({
    queryKey: [workspace, "runs", run.id, "whole"],
    queryFn: () => result(api.GET("/runs/{id}", { params: { path: { id: run.id } } })),
    enabled: isNeeded,
    staleTime: 60_000,
  });
}
