import createClient, { type Client } from "openapi-fetch";
import { callError, problemOf } from "#/api/problem.ts";
import { root } from "#/root.ts";
import type { paths } from "#openapi";

/** Addresses of what belongs to a workspace, relative to the workspace. */
type WorkspacePaths = {
  [Path in keyof paths as Path extends `/api/v1/workspaces/{workspace}/${infer Rest}`
    ? `/${Rest}`
    : never]: paths[Path];
};

export type WorkspaceClient = Client<WorkspacePaths>;

const options = { credentials: "same-origin" } as const;

/** Calls what all workspaces share. */
export const shared: Client<paths> = createClient<paths>({ ...options, baseUrl: root.replace(/\/$/, "") });

/** Address of a workspace in the API. */
export function workspaceUrl(workspace: string): string {
  return `${root}api/v1/workspaces/${encodeURIComponent(workspace)}`;
}

/** Calls what belongs to this workspace. */
export function inWorkspace(workspace: string): WorkspaceClient {
  return createClient<WorkspacePaths>({ ...options, baseUrl: workspaceUrl(workspace), pathSerializer: fillPath });
}

/** Paths of flows and scripts have slashes, which stay as they are. */
function fillPath(pattern: string, values: Record<string, unknown>): string {
  return pattern.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    String(values[name]).split("/").map(encodeURIComponent).join("/"),
  );
}

/**
 * The result of a call.
 *
 * @throws ProblemError if the server rejects the call
 * @throws UnreachableError if there is no answer
 */
export async function result<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch((failure: unknown) => Promise.reject(callError(failure)));
  if (!response.ok || data === undefined) {
    throw problemOf(error, response.status);
  }
  return data;
}
