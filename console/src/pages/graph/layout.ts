import ELK, { type ElkNode } from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import type { Graph, GraphNode } from "#/pages/graph/graph_model.ts";
import { alignBranches, type Box, placeInLayers, type Size } from "#/pages/graph/layers.ts";

const NODE_HEIGHT = 46;
const NODE_WIDTH_MIN = 130;
const NODE_WIDTH_MAX = 280;
const CHARACTER_WIDTH = 7.5;
const PADDING = "[top=50,left=14,bottom=14,right=14]";

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.layered.spacing.nodeNodeBetweenLayers": "36",
  "elk.spacing.nodeNode": "24",
};

/** Number of nodes above which a graph is placed at once, and less neatly. */
const LARGE = 300;

/** Number of nodes with those inside them. */
export function countOf(nodes: readonly GraphNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + countOf(node.children), 0);
}

let engine: InstanceType<typeof ELK> | undefined;

/** Computes the places of all nodes, of a graph of usual size in a web worker, so that the page stays responsive. */
export async function layOut(graph: Graph): Promise<ReadonlyMap<string, Box>> {
  if (countOf(graph.nodes) > LARGE) {
    return placeInLayers(graph, sizeOf);
  }
  engine ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
  const placed = await engine.layout({
    id: "root",
    layoutOptions: OPTIONS,
    children: graph.nodes.map(elkNode),
    edges: graph.edges.map(({ from, to }) => ({ id: `${from}>${to}`, sources: [from], targets: [to] })),
  });
  const boxes = new Map<string, Box>();
  collect(placed.children ?? [], boxes);
  alignBranches(graph.nodes, boxes);
  return boxes;
}

function elkNode(node: GraphNode): ElkNode {
  if (node.children.length > 0) {
    return { id: node.key, layoutOptions: { "elk.padding": PADDING }, children: node.children.map(elkNode) };
  }
  return { id: node.key, ...sizeOf(node) };
}

function sizeOf(node: GraphNode): Size {
  const { label, kind, flow = kind } = node;
  const text = Math.max(label.length, flow.length) * CHARACTER_WIDTH;
  const width = Math.min(NODE_WIDTH_MAX, Math.max(NODE_WIDTH_MIN, text + (node.flow === undefined ? 60 : 92)));
  return { width, height: NODE_HEIGHT };
}

function collect(nodes: readonly ElkNode[], boxes: Map<string, Box>): void {
  for (const node of nodes) {
    const { id, x = 0, y = 0, width = 0, height = 0, children = [] } = node;
    boxes.set(id, { x, y, width, height });
    collect(children, boxes);
  }
}
