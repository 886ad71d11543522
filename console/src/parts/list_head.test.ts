import { expect, test } from "vitest";
import { sortedBy } from "#/parts/list_head.tsx";

test("sorts texts and numbers both ways, with entries without a value at the end", () => {
  const items = [{ at: 3 }, { at: undefined }, { at: 1 }];
  expect(sortedBy(items, ({ at }) => at, false).map(({ at }) => at)).toEqual([1, 3, undefined]);
  expect(sortedBy(items, ({ at }) => at, true).map(({ at }) => at)).toEqual([3, 1, undefined]);
  expect(sortedBy(["b", "a"], (text) => text, false)).toEqual(["a", "b"]);
});
