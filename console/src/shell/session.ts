import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { result, shared } from "#/api/client.ts";
import { problemOf } from "#/api/problem.ts";
import type { RoleBinding } from "#/api/types.ts";
import { root } from "#/root.ts";
import { PLACES, type Place } from "#/shell/places.ts";
import { includesRole } from "#/shell/roles.ts";
import { useWorkspace } from "#/shell/workspace.ts";

export const sessionQuery = queryOptions({
  queryKey: ["whoami"],
  queryFn: () => result(shared.GET("/api/v1/whoami")),
  staleTime: 60_000,
});

/** Who uses the console. */
export function useSession() {
  return useQuery(sessionQuery);
}

/** Whether to offer what needs this role in the current workspace. A local caller may do everything. */
export function useMay(wanted: RoleBinding["role"]): boolean {
  const session = useSession();
  const workspace = useWorkspace();
  if (session.data === undefined) {
    return false;
  }
  return session.data.principal.kind === "local" || includesRole(session.data.roles, wanted, workspace.name);
}

/** The pages that the caller may see in the current workspace. */
export function usePlaces(): readonly Place[] {
  const session = useSession();
  const workspace = useWorkspace();
  return useMemo(() => {
    const isLocal = session.data?.principal.kind === "local";
    const roles = session.data?.roles ?? [];
    return PLACES.filter(({ role }) => role === undefined || isLocal || includesRole(roles, role, workspace.name));
  }, [session.data, workspace.name]);
}

/** The page of the gateway that logs people in, and then returns to the page that is open now. */
export function loginAddress(): string {
  const here = document.location.pathname + document.location.search;
  return `${root}login?return_to=${encodeURIComponent(here)}`;
}

/** Ends the session of the browser. */
export function useLogOut(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const response = await fetch(`${root}logout`, { method: "POST", credentials: "same-origin" });
    if (!response.ok) {
      throw problemOf(await response.json().catch(() => null), response.status);
    }
    queries.clear();
    await queries.invalidateQueries();
  }, [queries]);
}
