import { expect, test } from "vitest";
import type { Span } from "#/api/types.ts";
import { attemptsOf, firstAttempt, hasAll } from "#/pages/run/timeline/attempts.ts";

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
  const spans = [
    { name: "run", attributes: {} },
    span("once", 1, 0, 5),
    span("retried", 2, 30),
    span("retried", 1, 10, 20, failed),
    span("late", 3, 40, 50),
    span("once", 2, 0, 1, { scope: "script" }),
  ];
  const found = attemptsOf(spans, new Map());

  expect([...found.keys()]).toEqual(["retried", "late"]);
  expect(found.get("retried")).toEqual([
    { number: 1, begin: 10, end: 20, hasFailed: true, message: "Boom: no", worker: "w1" },
    { number: 2, begin: 30, end: undefined, hasFailed: false, message: "", worker: "w1" },
  ]);
  expect(found.get("late")?.length).toBe(1);
});

test("has the first attempt at a job that waits for its second one", () => {
  const failed = span("a", 1, 0, 1, { status: "error" });

  expect([
    ...attemptsOf(
      [failed, span("b", 1, 0, 1)],
      new Map([
        ["a", 2],
        ["b", 2],
      ]),
    ).keys(),
  ]).toEqual(["a"]);
  expect(attemptsOf([failed], new Map([["a", 1]])).size).toBe(0);
  expect(attemptsOf([failed], new Map()).size).toBe(0);
});

test("knows whether all attempts before the present ones are there", () => {
  const known = attemptsOf([span("a", 1, 0, 1), span("a", 2, 2, 3), span("b", 1, 0, 1), span("b", 2, 2)], new Map());

  expect(hasAll(known, new Map())).toBe(true);
  expect(hasAll(known, new Map([["a", 3]]))).toBe(true);
  expect(
    hasAll(
      known,
      new Map([
        ["a", 3],
        ["b", 3],
        ["c", 2],
      ]),
    ),
  ).toBe(false);
  expect(hasAll(known, new Map([["a", Number.POSITIVE_INFINITY]]))).toBe(false);
});

test("knows when the first attempt began", () => {
  const known = attemptsOf(
    [span("a", 1, 30, 40), span("a", 2, 50, 60), span("b", 1, 10, 20), span("b", 2, 70)],
    new Map(),
  );

  expect(firstAttempt(known)).toBe(10);
  expect(firstAttempt(new Map())).toBeUndefined();
});
