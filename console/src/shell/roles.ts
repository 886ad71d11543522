import type { RoleBinding } from "#/api/types.ts";

/** What a token is restricted to. */
export interface Restrictions {
  readonly workspaces?: readonly string[];
  readonly folders?: readonly string[];
  readonly role_max?: RoleBinding["role"];
}

/**
 * Where somebody needs a role: in the folder of a path, in the whole workspace, or anywhere in it. The path is that of a
 * flow or script, or the name of a run.
 */
export type Place = { readonly path: string } | "workspace" | "anywhere";

const RANKS: readonly RoleBinding["role"][] = ["viewer", "runner", "developer", "admin", "owner"];

/** The folder of a path: what stands before its first slash; empty for none, so that only a role of the workspace counts. */
function folderOf(path: string): string {
  const end = path.indexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/** Whether some roles include one at a place of a workspace; the server decides for good. */
export function includesRole(
  roles: readonly RoleBinding[],
  wanted: RoleBinding["role"],
  workspace: string,
  place: Place,
): boolean {
  return roles.some(
    (binding) =>
      (binding.workspace === undefined || binding.workspace === workspace) &&
      covers(binding.folder ?? "", place) &&
      RANKS.indexOf(binding.role) >= RANKS.indexOf(wanted),
  );
}

/** Whether a role of a folder, or of the whole workspace if it is empty, holds at a place. */
function covers(folder: string, place: Place): boolean {
  return folder === "" || place === "anywhere" || (place !== "workspace" && folder === folderOf(place.path));
}

/** Whether a token with these restrictions grants a role at a place of a workspace, to somebody who has it. */
export function allowsRole(
  { workspaces = [], folders = [], role_max }: Restrictions,
  wanted: RoleBinding["role"],
  workspace: string,
  place: Place,
): boolean {
  return (
    (workspaces.length === 0 || workspaces.includes(workspace)) &&
    (folders.length === 0 || folders.some((folder) => covers(folder, place))) &&
    (role_max === undefined || RANKS.indexOf(role_max) >= RANKS.indexOf(wanted))
  );
}
