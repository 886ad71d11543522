import { expect, test } from "vitest";
import type { RoleBinding } from "#/api/types.ts";
import { includesRole } from "#/shell/roles.ts";

const runnerOfA: RoleBinding = { workspace: "a", subject: "user:ada", role: "runner" };
const owner: RoleBinding = { subject: "user:ada", role: "owner" };

test.each([
  [[], "viewer", "a", false],
  [[runnerOfA], "viewer", "a", true],
  [[runnerOfA], "runner", "a", true],
  [[runnerOfA], "developer", "a", false],
  [[runnerOfA], "viewer", "b", false],
  [[owner], "admin", "b", true],
] as const)("%j include %s in %s: %s", (roles, wanted, workspace, included) => {
  expect(includesRole(roles, wanted, workspace)).toBe(included);
});
