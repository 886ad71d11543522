import { expect, test } from "vitest";
import { absoluteBoxes, firstView, MARGIN, READABLE_ZOOM, sizeOfGraph } from "#/pages/graph/first_view.ts";
import type { GraphNode } from "#/pages/graph/graph_model.ts";

const WINDOW = { width: 1_000, height: 600 };

test("shows a small graph as large as it is, in the middle of the width and at the top", () => {
  expect(firstView({ width: 400, height: 200 }, WINDOW, undefined)).toEqual({ x: 300, y: MARGIN, zoom: 1 });
});

test("fits the width, but never draws letters too small to read", () => {
  expect(firstView({ width: 1_060, height: 200 }, WINDOW, undefined).zoom).toBeCloseTo(960 / 1_060);
  expect(firstView({ width: 5_000, height: 9_000 }, WINDOW, undefined).zoom).toBe(READABLE_ZOOM);
});

test("begins at the top of a high graph, or at the node that matters", () => {
  const graph = { width: 400, height: 4_000 };
  expect(firstView(graph, WINDOW, undefined).y).toBe(MARGIN);
  const { y, zoom } = firstView(graph, WINDOW, { x: 100, y: 2_000, width: 100, height: 40 });
  expect(y + 2_020 * zoom).toBeCloseTo(WINDOW.height / 2);
  const end = firstView(graph, WINDOW, { x: 100, y: 3_960, width: 100, height: 40 });
  expect(end.y + 4_000 * end.zoom).toBeCloseTo(WINDOW.height - MARGIN);
});

test("knows where nodes inside others lie", () => {
  const inner: GraphNode = { key: "a.b", label: "b", kind: "script", children: [] };
  const nodes = [{ key: "a", label: "a", kind: "steps", children: [inner] }];
  const boxes = new Map([
    ["a", { x: 10, y: 20, width: 100, height: 90 }],
    ["a.b", { x: 5, y: 30, width: 50, height: 40 }],
  ]);
  expect(absoluteBoxes(nodes, boxes).get("a.b")).toMatchObject({ x: 15, y: 50 });
  expect(sizeOfGraph(nodes, boxes)).toEqual({ width: 110, height: 110 });
});
