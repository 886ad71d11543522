import type { RoleBinding } from "#/api/types.ts";

/** What a token is restricted to. */
export interface Restrictions {
  readonly workspaces?: readonly string[];
  readonly role_max?: RoleBinding["role"];
}

const RANKS: readonly RoleBinding["role"][] = ["viewer", "runner", "developer", "admin", "owner"];

/** Whether some roles include one in a workspace or in one of its folders; the server decides for good. */
export function includesRole(roles: readonly RoleBinding[], wanted: RoleBinding["role"], workspace: string): boolean {
  return roles.some(
    (binding) =>
      (binding.workspace === undefined || binding.workspace === workspace) &&
      RANKS.indexOf(binding.role) >= RANKS.indexOf(wanted),
  );
}

/** Whether a token with these restrictions grants a role in a workspace, to somebody who has it. */
export function allowsRole(
  { workspaces, role_max }: Restrictions,
  wanted: RoleBinding["role"],
  workspace: string,
): boolean {
  return (
    (workspaces === undefined || workspaces.length === 0 || workspaces.includes(workspace)) &&
    (role_max === undefined || RANKS.indexOf(role_max) >= RANKS.indexOf(wanted))
  );
}
