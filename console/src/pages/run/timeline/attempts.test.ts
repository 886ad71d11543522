import { expect, test } from "vitest";
import type { Span } from "#/api/types.ts";
import { attemptsOf } from "#/pages/run/timeline/attempts.ts";

function span(job: string, number: number, from: number, to?: number, more: Partial<Span> = {}): Span {
  const time = (at: number) => new Date(at).toISOString();
  return {
    name: `attempt ${number}`,
    start_time: time(from),
    ...(to === undefined ? {} : { end_time: time(to) }),
    attributes: { "millrace.job.id": job, "millrace.attempt": number, "millrace.worker.name": "w1" },
    ...more,
  };
}

test("has the attempts of jobs that had several, in their order", () => {
  const failed = { status: "error", status_message: "Boom: no" } as const;
  const found = attemptsOf([
    { name: "run", attributes: {} },
    span("once", 1, 0, 5),
    span("retried", 2, 30),
    span("retried", 1, 10, 20, failed),
    span("late", 3, 40, 50),
    span("once", 2, 0, 1, { scope: "script" }),
  ]);

  expect([...found.keys()]).toEqual(["retried", "late"]);
  expect(found.get("retried")).toEqual([
    { number: 1, begin: 10, end: 20, hasFailed: true, message: "Boom: no", worker: "w1" },
    { number: 2, begin: 30, end: undefined, hasFailed: false, message: "", worker: "w1" },
  ]);
  expect(found.get("late")?.length).toBe(1);
});
