import { expect, test } from "vitest";
import type { RoleBinding } from "#/api/types.ts";
import { allowsRole, includesRole } from "#/shell/roles.ts";

const runnerOfA: RoleBinding = { workspace: "a", subject: "user:ada", role: "runner" };
const developerOfShop: RoleBinding = { workspace: "a", folder: "shop", subject: "user:ada", role: "developer" };
const owner: RoleBinding = { subject: "user:ada", role: "owner" };
const inShop = { path: "shop/order" };
const besideShop = { path: "shopping/order" };

test.each([
  [[], "viewer", "a", "anywhere", false],
  [[runnerOfA], "viewer", "a", "workspace", true],
  [[runnerOfA], "runner", "a", inShop, true],
  [[runnerOfA], "developer", "a", "anywhere", false],
  [[runnerOfA], "viewer", "b", "anywhere", false],
  [[owner], "admin", "b", "workspace", true],
  [[developerOfShop], "developer", "a", inShop, true],
  [[developerOfShop], "developer", "a", besideShop, false],
  [[developerOfShop], "developer", "a", { path: "shop" }, false],
  [[developerOfShop], "developer", "a", "anywhere", true],
  [[developerOfShop], "viewer", "a", "workspace", false],
] as const)("%j include %s in %s at %j: %s", (roles, wanted, workspace, place, included) => {
  expect(includesRole(roles, wanted, workspace, place)).toBe(included);
});

test.each([
  [{}, "owner", "a", "workspace", true],
  [{ role_max: "viewer" }, "viewer", "a", "anywhere", true],
  [{ role_max: "viewer" }, "runner", "a", "anywhere", false],
  [{ workspaces: ["a"], role_max: "admin" }, "runner", "a", inShop, true],
  [{ workspaces: ["a"] }, "viewer", "b", "anywhere", false],
  [{ folders: ["shop"] }, "viewer", "a", inShop, true],
  [{ folders: ["shop"] }, "viewer", "a", besideShop, false],
  [{ folders: ["shop"] }, "viewer", "a", "workspace", false],
  [{ folders: ["shop"] }, "viewer", "a", "anywhere", true],
] as const)("a token with %j allows %s in %s at %j: %s", (restrictions, wanted, workspace, place, allowed) => {
  expect(allowsRole(restrictions, wanted, workspace, place)).toBe(allowed);
});
