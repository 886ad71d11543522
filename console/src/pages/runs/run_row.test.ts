import { expect, test } from "vitest";
import type { Run } from "#/api/types.ts";
import { durationTitle } from "#/pages/runs/run_row.tsx";

const RUN = { id: "1", name: "a", state: "queued", create_time: "2026-01-31T08:00:00Z" } as Run;

test("says why a run has no duration", () => {
  expect(durationTitle(RUN)).toBe("It has not started. Its job waits in the queue.");
  expect(durationTitle({ ...RUN, wait_reason: "It waits for its turn." })).toBe(
    "It has not started. It waits for its turn.",
  );
  expect(durationTitle({ ...RUN, state: "canceled" })).toBe("It has never started.");
  expect(durationTitle({ ...RUN, state: "running", start_time: "2026-01-31T08:00:01Z" })).toBe("Duration");
  expect(durationTitle({ ...RUN, state: "running" })).toBe("When it started is known once a step has ended.");
});
