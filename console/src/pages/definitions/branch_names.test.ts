import { expect, test } from "vitest";
import { nameOf, namesIn } from "#/pages/definitions/branch_names.ts";

test("finds the names of branches, also inside loops and branches", () => {
  const inner = { id: "more", parallel: { branches: [{ name: "deep", steps: [] }] } };
  const branches = [{ name: "sub", steps: [{ id: "x" }] }, { steps: [inner] }];
  const names = namesIn({ steps: [{ id: "loop", for_each: [], steps: [{ id: "both", parallel: { branches } }] }] });

  expect(nameOf(names, "loop[2].both[0]")).toBe("sub");
  expect(nameOf(names, "loop[2].both[1].more[0]")).toBe("deep");
  expect(nameOf(names, "loop[2].both[1]")).toBe("");
  expect(nameOf(names, "loop[2]")).toBeUndefined();
  expect(nameOf(names, "loop[2].both[0].x")).toBeUndefined();
});
