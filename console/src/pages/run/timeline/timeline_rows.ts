import { type StepNode, stateOf } from "#/pages/run/timeline/step_tree.ts";
import { isEnded } from "#/parts/state_badge.tsx";

/** One line of the timeline. */
export interface TimelineRow {
  readonly node: StepNode;
  readonly depth: number;
  readonly isOpen: boolean;
  /** Number of entries inside, of those that have ended, and of those that have failed. */
  readonly inside: { readonly all: number; readonly ended: number; readonly failed: number };
}

/** Containers with more entries than this are folded at first. */
const OPEN_ENTRIES_MAX = 20;

/** What a person has opened and closed, against the rule. */
export type Folds = ReadonlyMap<string, boolean>;

/** The lines of the timeline: what is folded hides what is inside, and in large loops failed iterations come first. */
export function timelineRows(roots: readonly StepNode[], folds: Folds): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  const add = (nodes: readonly StepNode[], depth: number) => {
    for (const node of nodes) {
      const isOpen = node.children.length > 0 && (folds.get(node.key) ?? node.children.length <= OPEN_ENTRIES_MAX);
      rows.push({ node, depth, isOpen, inside: count(node.children) });
      if (isOpen) {
        add(failedFirst(node.children), depth + 1);
      }
    }
  };
  add(roots, 0);
  return rows;
}

function failedFirst(nodes: readonly StepNode[]): readonly StepNode[] {
  if (nodes.length <= OPEN_ENTRIES_MAX) {
    return nodes;
  }
  const failed = nodes.filter((node) => stateOf(node) === "failed");
  return failed.length === 0 ? nodes : [...failed, ...nodes.filter((node) => stateOf(node) !== "failed")];
}

function count(nodes: readonly StepNode[]): TimelineRow["inside"] {
  const states = nodes.map(stateOf);
  return {
    all: nodes.length,
    ended: states.filter(isEnded).length,
    failed: states.filter((state) => state === "failed").length,
  };
}
