import { expect, test } from "vitest";
import type { Span } from "#/api/types.ts";
import { extentOf, spanRows, spansOfStep } from "#/pages/run/trace/span_tree.ts";

const span = (span_id: string, parent_span_id: string | undefined, from: number, to: number | undefined): Span => ({
  span_id,
  ...(parent_span_id === undefined ? {} : { parent_span_id }),
  name: span_id,
  start_time: new Date(from).toISOString(),
  ...(to === undefined ? {} : { end_time: new Date(to).toISOString() }),
});

const spans = [
  span("run", "elsewhere", 0, 50),
  span("step a", "run", 10, 20),
  span("step b", "run", 20, undefined),
  span("attempt", "step a", 12, 19),
];

test("shows spans below their parents, and those of parents elsewhere as roots", () => {
  expect(spanRows(spans).map((row) => [row.span.name, row.depth])).toEqual([
    ["run", 0],
    ["step a", 1],
    ["attempt", 2],
    ["step b", 1],
  ]);
  expect(spanRows([span("own", "own", 0, 1)]).map((row) => row.depth)).toEqual([0]);
});

test("finds the spans of a step with those inside them", () => {
  const ofStep = (one: Span, key: string) => ({ ...one, attributes: { "millrace.step.key": key } });
  const known = spans.map((one) => (one.name === "step a" ? ofStep(one, "a") : one));
  expect(spansOfStep(known, "a").map(({ name }) => name)).toEqual(["step a", "attempt"]);
  expect(spansOfStep(known, "gone")).toEqual(known);
});

test("lasts until now while a span does", () => {
  expect(extentOf(spans, 90)).toEqual({ begin: 0, end: 90 });
  expect(extentOf(spans.slice(0, 1), 90)).toEqual({ begin: 0, end: 50 });
});
