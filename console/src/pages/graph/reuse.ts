import type { Graph, GraphNode } from "#/pages/graph/graph_model.ts";

/** What a rerun from a step does with the steps beside it and beside what contains it. */
export interface Reuse {
  /** Keys of nodes whose results the new run takes over. */
  readonly reused: readonly string[];
  /** Keys of nodes that run again, the first of which is the chosen one. */
  readonly again: readonly string[];
}

/** Tells what a rerun from the node with this key reuses: everything that does not come after it. */
export function reuseOf(graph: Graph, key: string): Reuse {
  const path = pathTo(graph.nodes, key) ?? [];
  const again = new Set<string>();
  const beside: string[] = [];
  for (const { siblings, node } of path) {
    const after = following(graph, node.key);
    for (const sibling of siblings) {
      if (after.has(sibling.key) || sibling.key === key) {
        again.add(sibling.key);
      } else if (sibling.key !== node.key) {
        beside.push(sibling.key);
      }
    }
  }
  return { reused: beside, again: [...again].sort((one) => (one === key ? -1 : 1)) };
}

interface Place {
  readonly siblings: readonly GraphNode[];
  readonly node: GraphNode;
}

/** The nodes that contain a node, from the outside in, and the node itself. */
function pathTo(nodes: readonly GraphNode[], key: string): Place[] | undefined {
  for (const node of nodes) {
    if (node.key === key) {
      return [{ siblings: nodes, node }];
    }
    const inner = pathTo(node.children, key);
    if (inner !== undefined) {
      return [{ siblings: nodes, node }, ...inner];
    }
  }
  return undefined;
}

/** Keys of the nodes that need a node, directly or not. */
function following({ edges }: Graph, key: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (from: string) => {
    for (const edge of edges) {
      if (edge.from === from && !found.has(edge.to)) {
        found.add(edge.to);
        add(edge.to);
      }
    }
  };
  add(key);
  return found;
}

/**
 * Tells what a run reuses of an earlier one: what does not come after the chosen step, as far as it has succeeded there.
 *
 * @param ended keys of the steps that have succeeded or were skipped in the earlier run
 */
export function reuseAfter(graph: Graph, key: string, ended: ReadonlySet<string>): Reuse {
  const { reused, again } = reuseOf(graph, key);
  return {
    reused: reused.filter((other) => ended.has(other)),
    again: [...again, ...reused.filter((other) => !ended.has(other))],
  };
}
