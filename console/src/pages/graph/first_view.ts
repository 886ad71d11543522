import type { GraphNode } from "#/pages/graph/graph_model.ts";
import type { Box, Size } from "#/pages/graph/layers.ts";

/** The part of a graph that is in sight: where its left upper corner lies in the window, and how large it is drawn. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Smaller than this, letters of 13 pixels have less than 11. */
export const READABLE_ZOOM = 0.85;
/** Space around a graph, in pixels. */
export const MARGIN = 20;

/** The whole size of a graph. */
export function sizeOfGraph(nodes: readonly GraphNode[], boxes: ReadonlyMap<string, Box>): Size {
  const tops = nodes.flatMap(({ key }) => boxes.get(key) ?? []);
  return {
    width: Math.max(0, ...tops.map(({ x, width }) => x + width)),
    height: Math.max(0, ...tops.map(({ y, height }) => y + height)),
  };
}

/** Where each node lies in the whole graph; boxes of inner nodes are relative to the node around them. */
export function absoluteBoxes(
  nodes: readonly GraphNode[],
  boxes: ReadonlyMap<string, Box>,
  [left, top]: readonly [number, number] = [0, 0],
): ReadonlyMap<string, Box> {
  const found = new Map<string, Box>();
  for (const node of nodes) {
    const box = boxes.get(node.key);
    if (box !== undefined) {
      const own = { ...box, x: box.x + left, y: box.y + top };
      found.set(node.key, own);
      for (const [key, inner] of absoluteBoxes(node.children, boxes, [own.x, own.y])) {
        found.set(key, inner);
      }
    }
  }
  return found;
}

/**
 * What is seen of a graph at first: its whole width if letters stay readable, else a part of it. It begins at its top, or has
 * the node that matters in its middle.
 */
export function firstView(graph: Size, window: Size, focus: Box | undefined): View {
  const fitting = (window.width - 2 * MARGIN) / Math.max(1, graph.width);
  const zoom = Math.min(1, Math.max(READABLE_ZOOM, fitting));
  const place = (length: number, room: number, from: number | undefined, size: number) => {
    const drawn = length * zoom;
    if (drawn + 2 * MARGIN <= room) {
      return (room - drawn) / 2;
    }
    const middle = from === undefined ? 0 : (from + size / 2) * zoom;
    return Math.max(room - drawn - MARGIN, Math.min(MARGIN, room / 2 - middle));
  };
  return {
    x: place(graph.width, window.width, focus?.x ?? (graph.width - 1) / 2, focus?.width ?? 0),
    y: Math.min(place(graph.height, window.height, focus?.y, focus?.height ?? 0), MARGIN),
    zoom,
  };
}
