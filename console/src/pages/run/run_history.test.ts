import { expect, test } from "vitest";
import type { RunHistoryEntry } from "#/api/types.ts";
import { happenings, isAbout } from "#/pages/run/run_history.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const ENTRIES: readonly RunHistoryEntry[] = [
  { kind: "answer", time: at(1), step: "ok", what: "approve", who: "ann" },
  { kind: "attempt", time: at(2), step: "load", what: "WorkerLost" },
  { kind: "operation", time: at(9), what: "rerun", details: { step: "load" } as unknown as Record<string, never> },
];
const kinds = (found: ReturnType<typeof happenings>) => found.map(({ kind }) => kind);

test("puts the end of a run at its time, since a rerun may follow it", () => {
  expect(kinds(happenings({ state: "failed", end_time: at(5) }, ENTRIES))).toEqual([
    "answer",
    "attempt",
    "end",
    "operation",
  ]);
  expect(kinds(happenings({ state: "succeeded", end_time: at(9) }, ENTRIES)).at(-1)).toBe("end");
  expect(kinds(happenings({ state: "running" }, ENTRIES))).toHaveLength(3);
});

test("knows the entries about a step", () => {
  expect(ENTRIES.filter((entry) => isAbout(entry, "load")).map(({ kind }) => kind)).toEqual(["attempt", "operation"]);
  expect(ENTRIES.some((entry) => isAbout(entry, undefined))).toBe(false);
});
