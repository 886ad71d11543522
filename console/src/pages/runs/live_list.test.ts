import { expect, test } from "vitest";
import { mergeNewest, shownEntries } from "#/pages/runs/live_list.ts";

const entry = (id: string, state = "old") => ({ id, state });

test("replaces the newest entries, and drops what is no longer among them", () => {
  const known = [entry("d"), entry("c"), entry("b"), entry("a")];
  expect(mergeNewest(known, [entry("e", "new"), entry("c", "new")])).toEqual([
    entry("e", "new"),
    entry("c", "new"),
    entry("b"),
    entry("a"),
  ]);
  expect(mergeNewest(known, [])).toEqual(known);
});

test("moves no entry while somebody reads", () => {
  const frozen = [entry("d"), entry("c")];
  const current = [entry("f"), entry("e"), entry("d", "new"), entry("b")];
  expect(shownEntries(current, frozen)).toEqual({
    entries: [entry("d", "new"), entry("c"), entry("b")],
    newer: 2,
  });
  expect(shownEntries(current, undefined)).toEqual({ entries: current, newer: 0 });
});
