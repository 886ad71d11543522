import { expect, test } from "vitest";
import type { RoleBinding } from "#/api/types.ts";
import { allowsRole, includesRole } from "#/shell/roles.ts";

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

test.each([
  [{}, "owner", "a", true],
  [{ role_max: "viewer" }, "viewer", "a", true],
  [{ role_max: "viewer" }, "runner", "a", false],
  [{ workspaces: ["a"], role_max: "admin" }, "runner", "a", true],
  [{ workspaces: ["a"] }, "viewer", "b", false],
] as const)("a token with %j allows %s in %s: %s", (restrictions, wanted, workspace, allowed) => {
  expect(allowsRole(restrictions, wanted, workspace)).toBe(allowed);
});
