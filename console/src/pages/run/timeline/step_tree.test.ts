import { expect, test } from "vitest";
import type { Step } from "#/api/types.ts";
import {
  insideOf,
  labelOf,
  outerKey,
  shownStateOf,
  since,
  spanOf,
  stateOf,
  stepTree,
} from "#/pages/run/timeline/step_tree.ts";
import { keyOf, pickerAbove, timelineRows } from "#/pages/run/timeline/timeline_rows.ts";

function step(key: string, state: Step["state"] = "succeeded", second = 0): Step {
  const at = (offset: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second + offset)).toISOString();
  const begun = { job_id: key, key, kind: "script", state, attempt: 1, create_time: at(0), start_time: at(1) } as const;
  return state === "running" ? begun : { ...begun, end_time: at(2) };
}

test.each([
  ["split", "", "split"],
  ["count[3]", "count", "[3]"],
  ["count[3].tokenize", "count[3]", "tokenize"],
  ["a.b[0][1].c-d", "a.b[0][1]", "c-d"],
])("finds the place around %s", (key, outer, label) => {
  expect([outerKey(key), labelOf(key)]).toEqual([outer, label]);
});

test("puts iterations that have no step of their own around their steps", () => {
  const [loop] = stepTree([step("count[10].a", "running", 5), step("count[2].a", "failed"), step("count", "running")]);
  expect(loop?.children.map((node) => node.label)).toEqual(["[2]", "[10]"]);
  const [second, tenth] = loop?.children ?? [];
  expect(second && stateOf(second)).toBe("failed");
  expect(tenth && spanOf(tenth).ended).toBeUndefined();
  expect(second && spanOf(second).ended).toBe(Date.UTC(2026, 0, 1, 0, 0, 2));
});

test("leaves out the marks of steps", () => {
  expect(stepTree([step("count#open"), step("count")]).map((node) => node.key)).toEqual(["count"]);
});

test("folds large loops, and shows their failed iterations first once they are opened", () => {
  const steps = [step("loop", "running")];
  for (let at = 0; at < 10_000; at++) {
    steps.push(step(`loop[${at}]`, at === 7_777 ? "failed" : "succeeded"));
  }
  const tree = stepTree(steps);
  const folded = timelineRows(tree, new Map());
  expect(folded).toHaveLength(1);
  expect(folded[0]).toMatchObject({ inside: { all: 10_000, ended: 10_000, failed: 1 } });
  const opened = timelineRows(tree, new Map([["loop", true]]));
  expect(opened.slice(0, 3).map(keyOf)).toEqual(["loop", "loop[7777]", "loop[0]"]);
});

test("keeps the order of a few iterations and steps, failed or not", () => {
  const loop = [step("loop"), step("loop[0]"), step("loop[1]", "failed"), step("loop[2]")];
  expect(timelineRows(stepTree(loop), new Map()).map(keyOf)).toEqual(["loop", "loop[0]", "loop[1]", "loop[2]"]);
  const list = [step("list"), step("list.a"), step("list.b", "failed")];
  expect(timelineRows(stepTree(list), new Map()).map(keyOf)).toEqual(["list", "list.a", "list.b"]);
});

test("counts the iterations of a loop against its items", () => {
  const loop = [step("loop", "running"), step("loop[0]"), step("loop[1]", "running")];
  const loops = {
    listed: () => undefined,
    inside: () => undefined,
    total: (key: string) => (key === "loop" ? 3 : undefined),
  };
  expect(timelineRows(stepTree(loop), new Map(), loops)[0]).toMatchObject({ inside: { all: 3, ended: 1, failed: 0 } });
});

test("tells what waits in the queue or for people from what runs", () => {
  const [queued] = stepTree([step("a", "running"), step("a[0].x", "queued"), step("a[1].x", "succeeded")]);
  expect(queued && shownStateOf(queued)).toBe("queued");
  const [running] = stepTree([step("a", "running"), step("a[0].x", "queued"), step("a[1].x", "running")]);
  expect(running && shownStateOf(running)).toBe("running");
  const [asked] = stepTree([step("a", "running"), { ...step("a.ask", "running"), kind: "wait" }]);
  expect(asked && shownStateOf(asked)).toBe("waiting");
  const [done] = stepTree([step("a"), step("a.x", "queued")]);
  expect(done && shownStateOf(done)).toBe("succeeded");
});

const COUNTS = { total: 100, queued: 1, running: 2, succeeded: 30, failed: 3, canceled: 0, skipped: 0 };

test("shows a loop whose steps were left out, with what has been read of it", () => {
  const loop: Step = { ...step("loop", "running"), kind: "for_each", iterations: COUNTS };
  const tree = stepTree([loop]);
  expect(timelineRows(tree, new Map())).toMatchObject([{ inside: { all: 100, ended: 33, failed: 3 }, isOpen: false }]);
  const folds = new Map([
    ["loop", true],
    ["loop[7]", true],
  ]);
  const all = timelineRows(tree, folds);
  expect(all).toHaveLength(2 + 36);
  expect(all.slice(0, 3).map(keyOf)).toEqual(["loop", "loop#picker", "loop[0]"]);
  const failed = timelineRows(tree, folds, {
    listed: () => [7, 9].map((number) => ({ number, key: `loop[${number}]`, state: "failed" as const })),
    inside: (key) => insideOf(key, [step(`${key}.a`), step(`${key}.b`)]),
    total: () => undefined,
  });
  expect(failed.map(keyOf)).toEqual(["loop", "loop#picker", "loop[7]", "loop[7].a", "loop[7].b", "loop[9]"]);
  expect(insideOf("loop[3]", [step("loop[3]")])).toEqual([]);
});

test("finds the buttons of the loop that a line is in", () => {
  const rows = timelineRows(
    stepTree([{ ...step("loop", "running"), kind: "for_each", iterations: COUNTS }, step("z", "succeeded", 9)]),
    new Map([["loop", true]]),
  );
  expect([0, 1, 20, 37].map((index) => pickerAbove(rows, index))).toEqual([undefined, 1, 1, 1]);
  expect(rows.map(keyOf)[38]).toBe("z");
  expect(pickerAbove(rows, 38)).toBeUndefined();
});

test("leaves out the time before a run", () => {
  expect(since(10, { created: 1, started: 2, ended: 15 })).toEqual({ created: 10, started: 10, ended: 15 });
  expect(since(10, { created: 11, started: undefined, ended: undefined })).toEqual({
    created: 11,
    started: undefined,
    ended: undefined,
  });
});
