import { expect, test } from "vitest";
import type { ExplainedStep } from "#/api/types.ts";
import { waitReasons } from "#/pages/run/wait_reasons.ts";

const step = (key: string, cause: NonNullable<ExplainedStep["cause"]>): ExplainedStep => ({
  step: key,
  cause,
  text: `${key}.`,
});

test("shows the summary of a run that waits itself, which has no steps yet", () => {
  expect(waitReasons({ summary: "The run waits for its turn.", steps: [] })).toEqual({
    summary: "The run waits for its turn.",
    first: [],
    rest: [],
    leftOut: 0,
  });
});

test("keeps the first reasons in sight, and folds the others", () => {
  const steps = ["a", "b", "c", "d", "e"].map((key) => step(key, "slot"));
  const reasons = waitReasons({ summary: "It waits.", steps, steps_left_out: 7 });
  expect(reasons?.first.map((one) => one.step)).toEqual(["a", "b", "c"]);
  expect(reasons?.rest.map((one) => one.step)).toEqual(["d", "e"]);
  expect(reasons?.leftOut).toBe(7);
});

test.each([
  ["nothing is known", undefined],
  ["the server says nothing", { summary: "", steps: [] }],
  ["a step runs", { summary: "It waits.", steps: [step("busy", "running"), step("a", "slot")] }],
  ["every step runs", { summary: "Steps of the run are running.", steps: [step("a", "running")] }],
])("says nothing if %s", (_, explanation) => {
  expect(waitReasons(explanation)).toBeUndefined();
});

test("leaves out the steps that the page asks for answers", () => {
  const steps = [step("ask", "events"), step("other", "events")];
  expect(waitReasons({ summary: "It waits.", steps }, new Set(["ask"]))?.first.map((one) => one.step)).toEqual([
    "other",
  ]);
  expect(waitReasons({ summary: "It waits.", steps: [step("ask", "events")] }, new Set(["ask"]))).toBeUndefined();
});
