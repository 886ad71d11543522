import { expect, test } from "vitest";
import { drainState } from "#/pages/workers/drain_state.ts";

const drain = { actor: "ada", reason: "", drain_time: "2026-01-01T00:00:00Z", groups: 0 };

test("a drained worker is empty once it has neither jobs nor folders of groups", () => {
  expect(drainState({ leased_jobs: 0 })).toBeNull();
  expect(drainState({ leased_jobs: 2, drain })).toBe("working");
  expect(drainState({ leased_jobs: 0, drain: { ...drain, groups: 1 } })).toBe("working");
  expect(drainState({ leased_jobs: 0, drain })).toBe("empty");
});
