import { useQuery } from "@tanstack/react-query";
import { createContext, useCallback, useContext } from "react";
import type { Run, Step } from "#/api/types.ts";
import { nameOf, namesIn, shownKey } from "#/pages/definitions/branch_names.ts";
import { fetchFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { flowOf } from "#/parts/target.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/** The name that a definition gives to a branch, by the key of the branch: `other` for `both[1]`. */
export type BranchNames = (key: string) => string | undefined;

const NO_NAMES: BranchNames = () => undefined;

/** The names of the branches of the run that a page shows. */
export const ShownBranches = createContext<BranchNames>(NO_NAMES);

/** Writes keys of the run that a page shows with the names of their branches. */
export function useShownKey(): (key: string) => string {
  const branches = useContext(ShownBranches);
  return useCallback((key: string) => shownKey(key, branches), [branches]);
}

/**
 * The names of the parallel branches of a run, whose keys have only numbers. They are in the definition, which is read if the
 * run has such branches.
 */
export function useBranchNames(run: Run, steps: ReadonlyMap<string, Step>): BranchNames {
  const workspace = useWorkspace();
  const flow = flowOf(run);
  const hash = run.target.flow_hash;
  const hasBranches = flow !== undefined && [...steps.values()].some(({ kind }) => kind === "parallel");
  const { data } = useQuery({
    queryKey: [workspace.name, "flows", flow ?? "", "branches", hash ?? ""],
    enabled: hasBranches,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { document } = await fetchFlowDocument(workspace, flow ?? "", hash);
      const names = document === undefined ? undefined : namesIn(document);
      return (key: string) => (names === undefined ? undefined : nameOf(names, key));
    },
  });
  return data ?? NO_NAMES;
}
