import { expect, test } from "vitest";
import { nameOf, namesIn, shownKey, shownMessage } from "#/pages/definitions/branch_names.ts";

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

test.each([
  ["both[1].y", "both[1 other].y"],
  ["loop[0].both[1].y[3]", "loop[0].both[1 other].y[3]"],
  ["count[1]", "count[1]"],
  ["both", "both"],
])("shows the key %s as %s", (key, shown) => {
  expect(shownKey(key, (branch) => (branch.endsWith("both[1]") ? "other" : undefined))).toBe(shown);
});

test("names the branch at the begin of a message, and nowhere else", () => {
  const shown = (key: string) => key.replace("[1]", "[1 other]");
  expect(shownMessage('Step "both[1].y" failed: both[1]', shown)).toBe('Step "both[1 other].y" failed: both[1]');
  expect(shownMessage("y[1] is bad", shown)).toBe("y[1] is bad");
});
