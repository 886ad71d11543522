import { expect, test } from "vitest";
import { type Change, currentEntries, shownEntries, withChanges } from "#/pages/runs/live_list.ts";

interface Item {
  readonly id: string;
  readonly state: string;
}

const entry = (id: string, state = "old"): Item => ({ id, state });
const changed = (at: number, ...entries: Item[]): ReadonlyMap<string, Change<Item>> =>
  withChanges(new Map(), entries, at, 100);
const ids = (entries: readonly Item[]) => entries.map(({ id, state }) => (state === "old" ? id : `${id} ${state}`));
const any = () => true;

test("shows what is new and what has changed, and drops what does not fit any more", () => {
  const pages = [{ items: [entry("d"), entry("c"), entry("b")], askedAt: 1 }];
  const changes = changed(2, entry("a"), entry("c", "new"), entry("d", "gone"), entry("e", "new"));
  expect(ids(currentEntries(pages, changes, false, (item) => item.state !== "gone"))).toEqual(["e new", "c new", "b"]);
  expect(ids(currentEntries(pages, changes, true, any))).toEqual(["e new", "d gone", "c new", "b", "a"]);
});

test("believes what was learned last", () => {
  const pages = [
    { items: [entry("a", "page")], askedAt: 3 },
    { items: [entry("b"), entry("a")], askedAt: 1 },
  ];
  expect(ids(currentEntries(pages, changed(2, entry("a", "stream")), true, any))).toEqual(["b", "a page"]);
  expect(ids(currentEntries(pages, changed(4, entry("a", "stream")), true, any))).toEqual(["b", "a stream"]);
});

test("forgets the changes of long ago", () => {
  const changes = withChanges(changed(1, entry("a"), entry("b"), entry("c")), [entry("a", "new")], 2, 2);
  expect([...changes.keys()]).toEqual(["c", "a"]);
});

test("moves no entry while somebody reads", () => {
  const frozen = [entry("d"), entry("c")];
  const current = [entry("f"), entry("e"), entry("d", "new"), entry("b")];
  expect(shownEntries(current, frozen, changed(1, entry("c", "left")))).toEqual({
    entries: [entry("d", "new"), entry("c", "left"), entry("b")],
    newer: 2,
  });
  expect(shownEntries(current, undefined, new Map())).toEqual({ entries: current, newer: 0 });
});
