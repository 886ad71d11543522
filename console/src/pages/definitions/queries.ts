import { queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const PAGE_SIZE = 1_000;
const query = { page_size: PAGE_SIZE };

/** The first thousand flows of a workspace by path. */
export function flowsQuery(workspace: CurrentWorkspace) {
  return queryOptions({
    queryKey: [workspace.name, "flows"],
    queryFn: () => result(workspace.api.GET("/flows", { params: { query } })),
    staleTime: 5_000,
  });
}

/** The first thousand scripts of a workspace by path. */
export function scriptsQuery(workspace: CurrentWorkspace) {
  return queryOptions({
    queryKey: [workspace.name, "scripts"],
    queryFn: () => result(workspace.api.GET("/scripts", { params: { query } })),
    staleTime: 5_000,
  });
}

/** The flow in a version, or in the current one. */
export function flowQuery(workspace: CurrentWorkspace, path: string, hash?: string) {
  const query = hash === undefined ? {} : { hash };
  return queryOptions({
    queryKey: [workspace.name, "flows", path, hash ?? ""],
    queryFn: () => result(workspace.api.GET("/flows/{path}", { params: { path: { path }, query } })),
    staleTime: 5_000,
  });
}

/** The script in a version, or in the current one. */
export function scriptQuery(workspace: CurrentWorkspace, path: string, hash?: string) {
  const query = hash === undefined ? {} : { hash };
  return queryOptions({
    queryKey: [workspace.name, "scripts", path, hash ?? ""],
    queryFn: () => result(workspace.api.GET("/scripts/{path}", { params: { path: { path }, query } })),
    staleTime: 5_000,
  });
}
