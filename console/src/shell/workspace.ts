import { queryOptions, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { inWorkspace, result, shared, type WorkspaceClient, workspaceUrl } from "#/api/client.ts";

export const DEFAULT_WORKSPACE = "default";

/** The workspace that the address of the page names. */
export interface CurrentWorkspace {
  readonly name: string;
  readonly api: WorkspaceClient;
  /** Address of the workspace in the API. */
  readonly url: string;
}

export function useWorkspace(): CurrentWorkspace {
  const { workspace } = useSearch({ strict: false });
  const name = workspace ?? DEFAULT_WORKSPACE;
  return useMemo(() => ({ name, api: inWorkspace(name), url: workspaceUrl(name) }), [name]);
}

const WORKSPACES_MAX = 1_000;

export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: () => result(shared.GET("/api/v1/workspaces", { params: { query: { page_size: WORKSPACES_MAX } } })),
  staleTime: 60_000,
});

export function useWorkspaces() {
  return useQuery(workspacesQuery);
}
