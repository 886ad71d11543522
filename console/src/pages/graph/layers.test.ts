import { expect, test } from "vitest";
import type { Graph, GraphNode } from "#/pages/graph/graph_model.ts";
import { alignBranches, type Box, placeInLayers } from "#/pages/graph/layers.ts";

const SIZE = () => ({ width: 100, height: 40 });

function node(key: string, children: readonly GraphNode[] = []): GraphNode {
  return { key, label: key, kind: "script", children };
}

function isOver(one: { x: number; y: number; width: number; height: number }, other: typeof one): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

test("puts each node below what it needs, and none over another", () => {
  for (let seed = 1; seed <= 50; seed++) {
    let state = seed;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const keys = Array.from({ length: 2 + random(40) }, (_, at) => `n${at}`);
    const nodes = keys.map((key) => node(key, random(5) === 0 ? [node(`${key}.a`), node(`${key}.b`)] : []));
    const edges = keys.flatMap((to, at) =>
      at === 0 ? [] : Array.from({ length: random(3) }, () => ({ from: `n${random(at)}`, to })),
    );
    const boxes = placeInLayers({ nodes, edges }, SIZE);
    const box = (key: string) => boxes.get(key) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(boxes.size).toBe(nodes.reduce((sum, { children }) => sum + 1 + children.length, 0));
    for (const { from, to } of edges) {
      expect(box(from).y + box(from).height, `seed ${seed}`).toBeLessThan(box(to).y);
    }
    for (const one of keys) {
      expect(
        keys.filter((other) => other !== one && isOver(box(one), box(other))),
        `seed ${seed}`,
      ).toEqual([]);
    }
  }
});

test("places a thousand nodes within a frame or two, also with a circle", () => {
  const nodes = Array.from({ length: 1_000 }, (_, at) => node(`n${at}`));
  const edges = Array.from({ length: 9_900 }, (_, at) => {
    const layer = Math.floor(at / 100);
    return { from: `n${layer * 10 + (at % 10)}`, to: `n${layer * 10 + 10 + (Math.floor(at / 10) % 10)}` };
  });
  const graph: Graph = { nodes, edges: [...edges, { from: "n999", to: "n990" }, { from: "n990", to: "n999" }] };
  const begin = performance.now();
  expect(placeInLayers(graph, SIZE).size).toBe(1_000);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

test("puts branches beside one another in the order of the definition", () => {
  const branch = (key: string): GraphNode => ({ key, label: key, kind: "case", children: [] });
  const box = (x: number, y: number): Box => ({ x, y, width: 100, height: 40 });
  const boxes = new Map([
    ["s/0", box(262, 60)],
    ["s/1", box(14, 90)],
    ["s/2", box(138, 50)],
  ]);
  alignBranches([node("s", ["s/0", "s/1", "s/2"].map(branch))], boxes);
  expect([...boxes.values()].map(({ x, y }) => [x, y])).toEqual([
    [14, 50],
    [138, 50],
    [262, 50],
  ]);
});
