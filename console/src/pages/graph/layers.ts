import type { Graph, GraphEdge, GraphNode } from "#/pages/graph/graph_model.ts";

/** The place of a node, relative to the node around it. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Distances between nodes and around the content of a container. */
export const GAPS = { beside: 24, between: 36, top: 50, around: 14 };
/** How often the layers are ordered by what stands above and below them. */
const SWEEPS = 4;

/**
 * Places the nodes of a graph in layers, each node below all that it needs. That takes time in proportion to the size of the
 * graph, unlike a layout that looks for few crossings.
 *
 * @param sizeOf the size of a node without nodes inside
 */
export function placeInLayers(graph: Graph, sizeOf: (node: GraphNode) => Size): ReadonlyMap<string, Box> {
  const boxes = new Map<string, Box>();
  place(graph.nodes, edgesBySource(graph.edges), sizeOf, boxes);
  return boxes;
}

/**
 * Puts the branches inside each node beside one another in the order of the definition. No edge joins them, so that a layout
 * orders them as it likes.
 */
export function alignBranches(nodes: readonly GraphNode[], boxes: Map<string, Box>): void {
  for (const { children } of nodes) {
    alignBranches(children, boxes);
    const placed = children.flatMap(({ key, kind }) => {
      const box = boxes.get(key);
      return box !== undefined && (kind === "case" || kind === "branch") ? [{ key, box }] : [];
    });
    let x = Math.min(...placed.map(({ box }) => box.x));
    const y = Math.min(...placed.map(({ box }) => box.y));
    // They fill the same room as before, since the node around them keeps its size.
    const room = Math.max(...placed.map(({ box }) => box.x + box.width)) - x;
    const gap = (room - placed.reduce((sum, { box }) => sum + box.width, 0)) / Math.max(1, placed.length - 1);
    for (const { key, box } of placed) {
      boxes.set(key, { ...box, x, y });
      x += box.width + gap;
    }
  }
}

function edgesBySource(edges: readonly GraphEdge[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const known = found.get(from);
    if (known === undefined) {
      found.set(from, [to]);
    } else {
      known.push(to);
    }
  }
  return found;
}

/** Places siblings, and what is inside them; returns the size of all. */
function place(
  nodes: readonly GraphNode[],
  edges: ReadonlyMap<string, readonly string[]>,
  sizeOf: (node: GraphNode) => Size,
  boxes: Map<string, Box>,
): Size {
  const sizes = new Map<string, Size>();
  for (const node of nodes) {
    if (node.children.length === 0) {
      sizes.set(node.key, sizeOf(node));
    } else {
      const inner = place(node.children, edges, sizeOf, boxes);
      for (const child of node.children) {
        const box = boxes.get(child.key);
        if (box !== undefined) {
          boxes.set(child.key, { ...box, x: box.x + GAPS.around, y: box.y + GAPS.top });
        }
      }
      const own = sizeOf(node);
      sizes.set(node.key, {
        width: Math.max(own.width, inner.width + 2 * GAPS.around),
        height: inner.height + GAPS.top + GAPS.around,
      });
    }
  }
  return stack(layersOf(nodes, edges), sizes, boxes);
}

/** The keys of siblings by layers, ordered so that few edges cross. */
export function layersOf(
  nodes: readonly GraphNode[],
  edges: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const keys = new Set(nodes.map(({ key }) => key));
  const below = new Map(nodes.map(({ key }) => [key, (edges.get(key) ?? []).filter((to) => keys.has(to))]));
  const above = new Map<string, string[]>(nodes.map(({ key }) => [key, []]));
  for (const [from, all] of below) {
    for (const to of all) {
      above.get(to)?.push(from);
    }
  }
  const layers: string[][] = [];
  const missing = new Map([...above].map(([key, needs]) => [key, needs.length]));
  let ready = nodes.filter(({ key }) => missing.get(key) === 0).map(({ key }) => key);
  const placed = new Set<string>();
  while (ready.length > 0) {
    layers.push(ready);
    const next: string[] = [];
    for (const key of ready) {
      placed.add(key);
      for (const to of below.get(key) ?? []) {
        const left = (missing.get(to) ?? 0) - 1;
        missing.set(to, left);
        if (left === 0) {
          next.push(to);
        }
      }
    }
    ready = next;
  }
  // A definition that is being written may have circles.
  const rest = [...keys].filter((key) => !placed.has(key));
  if (rest.length > 0) {
    layers.push(rest);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const order = isDown ? layers : [...layers].reverse();
    for (let at = 1; at < order.length; at++) {
      sortBy(order[at] ?? [], order[at - 1] ?? [], isDown ? above : below);
    }
  }
  return layers;
}

/** Orders a layer by the mean place of the neighbors of its nodes in the layer before. */
function sortBy(layer: string[], before: readonly string[], neighbors: ReadonlyMap<string, readonly string[]>): void {
  const at = new Map(before.map((key, index) => [key, index / before.length]));
  const mean = new Map(
    layer.map((key, index) => {
      const known = (neighbors.get(key) ?? []).flatMap((other) => at.get(other) ?? []);
      const sum = known.reduce((total, value) => total + value, 0);
      return [key, known.length === 0 ? index / layer.length : sum / known.length];
    }),
  );
  layer.sort((one, other) => (mean.get(one) ?? 0) - (mean.get(other) ?? 0));
}

/** Puts layers below one another, each in the middle. */
function stack(
  layers: readonly (readonly string[])[],
  sizes: ReadonlyMap<string, Size>,
  boxes: Map<string, Box>,
): Size {
  const sized = layers.map((layer) => layer.map((key) => ({ key, size: sizes.get(key) ?? { width: 0, height: 0 } })));
  const widths = sized.map((layer) => layer.reduce((sum, { size }) => sum + size.width + GAPS.beside, -GAPS.beside));
  const width = Math.max(0, ...widths);
  let y = 0;
  sized.forEach((layer, index) => {
    let x = (width - (widths[index] ?? 0)) / 2;
    for (const { key, size } of layer) {
      boxes.set(key, { x, y, ...size });
      x += size.width + GAPS.beside;
    }
    y += Math.max(...layer.map(({ size }) => size.height)) + GAPS.between;
  });
  return { width, height: Math.max(0, y - GAPS.between) };
}
