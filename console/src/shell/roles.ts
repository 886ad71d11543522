import type { RoleBinding } from "#/api/types.ts";

const RANKS: readonly RoleBinding["role"][] = ["viewer", "runner", "developer", "admin", "owner"];

/** Whether some roles include one in a workspace or in one of its folders; the server decides for good. */
export function includesRole(roles: readonly RoleBinding[], wanted: RoleBinding["role"], workspace: string): boolean {
  return roles.some(
    (binding) =>
      (binding.workspace === undefined || binding.workspace === workspace) &&
      RANKS.indexOf(binding.role) >= RANKS.indexOf(wanted),
  );
}
