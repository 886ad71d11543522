import { expect, test } from "vitest";
import type { Step } from "#/api/types.ts";
import { failedSteps } from "#/pages/run/failed_steps.ts";

function step(key: string, state: Step["state"]): Step {
  return { job_id: key, key, kind: "script", state, attempt: 1 };
}

test("counts the steps that failed, and not the loops and branches around them", () => {
  const steps = [
    step("eta", "failed"),
    step("eta[0]", "succeeded"),
    step("eta[1].x", "failed"),
    step("both", "failed"),
    step("both[1].y", "failed"),
    step("other", "failed"),
  ];
  expect(failedSteps(steps).map(({ key }) => key)).toEqual(["eta[1].x", "both[1].y", "other"]);
});
