import { expect, test } from "vitest";
import { flowGraph } from "#/pages/graph/graph_model.ts";
import { reuseAfter, reuseOf } from "#/pages/graph/reuse.ts";

const graph = flowGraph({
  steps: [
    { id: "load", script: "a" },
    { id: "other", script: "a", needs: [] },
    {
      id: "count",
      for_each: [1],
      needs: ["load"],
      steps: [
        { id: "split", script: "b" },
        { id: "sum", script: "c" },
      ],
    },
    { id: "report", script: "d", needs: ["count", "other"] },
  ],
});

test("reuses what does not come after a step", () => {
  expect(reuseOf(graph, "load")).toEqual({ reused: ["other"], again: ["load", "count", "report"] });
  expect(reuseOf(graph, "report")).toEqual({ reused: ["load", "other", "count"], again: ["report"] });
});

test("looks into what contains a step", () => {
  expect(reuseOf(graph, "count.sum")).toEqual({
    reused: ["load", "other", "count.split"],
    again: ["count.sum", "report"],
  });
  expect(reuseOf(graph, "unknown")).toEqual({ reused: [], again: [] });
});

test("runs again what has not succeeded", () => {
  expect(reuseAfter(graph, "report", new Set(["load", "count"]))).toEqual({
    reused: ["load", "count"],
    again: ["report", "other"],
  });
});
