import { assertEquals } from "../../src/testing/asserts.ts";
import { Following } from "./following.ts";
import type { LogChunk, Step } from "./models.ts";

const NO_TIMES = { createTime: undefined, startTime: undefined, endTime: undefined };

function step(state: Step["state"]): Step {
  const fixed = {
    type: "step",
    key: "a",
    jobId: "1",
    attempt: 1,
    error: undefined,
    worker: "",
    progress: undefined,
    iterations: undefined,
  } as const;
  return { ...fixed, state, ...NO_TIMES };
}

function line(position: bigint): LogChunk {
  return { type: "log", jobId: "1", step: "a", attempt: 1, stream: "stdout", text: "x", time: undefined, position };
}

Deno.test("lets only news through when a new stream repeats what is known", () => {
  const following = new Following();
  const first = [step("running"), line(1n), line(2n)].map((event) => following.isNews(event));
  const second = [step("running"), line(2n), step("succeeded"), line(3n)].map((event) => following.isNews(event));
  assertEquals([first, second], [[true, true, true], [false, false, true, true]]);
  assertEquals(following.position, 3n);
});
