import { expect, test } from "vitest";
import type { Step } from "#/api/types.ts";
import { RunCollector } from "#/live/run_model.ts";

const COUNTS = { queued: 0, running: 1, succeeded: 29, failed: 0, canceled: 0, skipped: 0 };

function event(key: string, more: Partial<Step> = {}) {
  const step: Step = { job_id: key, key, kind: "script", state: "running", attempt: 1, ...more };
  return { name: "step", data: JSON.stringify(step), id: "" };
}

test("drops the steps of a loop once it is folded", () => {
  const collector = new RunCollector();
  collector.add([event("loop"), event("loop[0].a"), event("loop2[0]"), event("loop", { iterations: COUNTS })]);
  collector.add([event("loop[1].a"), event("after")]);
  const { steps } = collector.model(undefined);
  expect([...steps.keys()]).toEqual(["loop", "loop2[0]", "after"]);
  expect(steps.get("loop")?.iterations).toEqual(COUNTS);
});
