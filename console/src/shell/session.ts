import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { result, shared } from "#/api/client.ts";
import { problemOf } from "#/api/problem.ts";
import type { RoleBinding } from "#/api/types.ts";
import { root } from "#/root.ts";
import { PLACES, type Place } from "#/shell/places.ts";
import { allowsRole, includesRole, type Place as RolePlace } from "#/shell/roles.ts";
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

/**
 * Whether to offer what needs this role in the current workspace. A local caller may do everything.
 *
 * @param place where the role is needed; unless given, anywhere for the roles of folders, and else in the whole workspace
 */
export function useMay(wanted: RoleBinding["role"], place?: RolePlace): boolean {
  return useMayAt()(wanted, place);
}

/** Like {@link useMay}, for many places. */
export function useMayAt(): (wanted: RoleBinding["role"], place?: RolePlace) => boolean {
  const { data } = useSession();
  const { name } = useWorkspace();
  return (wanted, place) => {
    const at = place ?? (wanted === "admin" || wanted === "owner" ? "workspace" : "anywhere");
    if (data === undefined) {
      return false;
    }
    const { principal, roles, restrictions = {} } = data;
    return (
      principal.kind === "local" ||
      (includesRole(roles, wanted, name, at) && allowsRole(restrictions, wanted, name, at))
    );
  };
}

/** The pages that the caller may see in the current workspace. */
export function usePlaces(): readonly Place[] {
  const session = useSession();
  const workspace = useWorkspace();
  return useMemo(() => {
    const isLocal = session.data?.principal.kind === "local";
    const { roles = [], restrictions = {} } = session.data ?? {};
    const { name } = workspace;
    return PLACES.filter(
      ({ role }) =>
        role === undefined ||
        isLocal ||
        (includesRole(roles, role, name, "workspace") && allowsRole(restrictions, role, name, "workspace")),
    );
  }, [session.data, workspace]);
}

/** Ends the session of the browser, and begins the page anew, so that nothing of the session stays on it. */
export function useLogOut(): () => Promise<void> {
  return useCallback(async () => {
    const response = await fetch(`${root}logout`, { method: "POST", credentials: "same-origin" });
    if (!response.ok) {
      throw problemOf(await response.json().catch(() => null), response.status);
    }
    document.location.reload();
  }, []);
}
