import type { Iteration, Step } from "#/api/types.ts";
import { begun, ended } from "#/live/folded.ts";
import { type StepNode, stateOf } from "#/pages/run/timeline/step_tree.ts";
import { isEnded } from "#/parts/state_badge.tsx";

/** A line of the timeline with a step, or with a place that has steps inside. */
export interface NodeRow {
  readonly kind: "node";
  readonly node: StepNode;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly isFoldable: boolean;
  /** Number of entries inside, of those that have begun, ended and failed, unless they are too many to count. */
  readonly inside: {
    readonly all: number;
    readonly begun: number;
    readonly ended: number;
    readonly failed: number;
    readonly isUncounted?: boolean;
  };
}

/** A line that finds iterations of a large loop. */
export interface PickerRow {
  readonly kind: "picker";
  readonly loop: Step;
  readonly depth: number;
}

/** A line with an iteration of a large loop, whose page may not have been read yet. */
export interface IterationRow {
  readonly kind: "iteration";
  readonly loop: string;
  readonly number: number;
  readonly depth: number;
  readonly isOpen: boolean;
}

export type TimelineRow = NodeRow | PickerRow | IterationRow;

/** Containers with more entries than this are folded at first. */
const OPEN_ENTRIES_MAX = 20;

/** What a person has opened and closed, against the rule. */
export type Folds = ReadonlyMap<string, boolean>;

/** What is known of large loops that are open. */
export interface Loops {
  /** The failed iterations of a loop if only these are shown; undefined if all are. */
  readonly listed: (loop: Step) => readonly Iteration[] | undefined;
  /** What is inside an iteration that is open; undefined if it has not been read. */
  readonly inside: (iteration: string) => readonly StepNode[] | undefined;
  /** Number of iterations that a small loop will have; undefined if it is not known. */
  readonly total: (loop: string) => number | undefined;
}

const NO_LOOPS: Loops = { listed: () => undefined, inside: () => undefined, total: () => undefined };

/** The lines of the timeline: what is folded hides what is inside, and in large loops failed iterations come first. */
export function timelineRows(roots: readonly StepNode[], folds: Folds, loops = NO_LOOPS): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  const add = (nodes: readonly StepNode[], depth: number) => {
    for (const node of nodes) {
      const counts = node.step?.iterations;
      if (node.step !== undefined && counts !== undefined) {
        const isUncounted = counts.only_live === true;
        const isOpen = !isUncounted && (folds.get(node.key) ?? false);
        const all = Math.max(counts.total ?? 0, begun(counts));
        const inside = { all, begun: begun(counts), ended: ended(counts), failed: counts.failed, isUncounted };
        rows.push({ kind: "node", node, depth, isOpen, isFoldable: !isUncounted, inside });
        if (isOpen) {
          addIterations(node.step, begun(counts), depth + 1);
        }
        continue;
      }
      const isFoldable = node.children.length > 0;
      const isOpen = isFoldable && (folds.get(node.key) ?? node.children.length <= OPEN_ENTRIES_MAX);
      rows.push({ kind: "node", node, depth, isOpen, isFoldable, inside: count(node, loops) });
      if (isOpen) {
        add(failedFirst(node.children), depth + 1);
      }
    }
  };
  const addIterations = (loop: Step, size: number, depth: number) => {
    rows.push({ kind: "picker", loop, depth });
    const listed = loops.listed(loop);
    for (let at = 0; at < (listed?.length ?? size); at++) {
      const number = listed?.[at]?.number ?? at;
      const key = `${loop.key}[${number}]`;
      const isOpen = folds.get(key) ?? false;
      rows.push({ kind: "iteration", loop: loop.key, number, depth, isOpen });
      if (isOpen) {
        add(loops.inside(key) ?? [], depth + 1);
      }
    }
  };
  add(roots, 0);
  return rows;
}

/** The failed ones of many entries first; a few stay in their order, as all of them are in sight. */
function failedFirst(nodes: readonly StepNode[]): readonly StepNode[] {
  if (nodes.length <= OPEN_ENTRIES_MAX) {
    return nodes;
  }
  const failed = nodes.filter((node) => stateOf(node) === "failed");
  return failed.length === 0 ? nodes : [...failed, ...nodes.filter((node) => stateOf(node) !== "failed")];
}

function count({ key, children }: StepNode, loops: Loops): NodeRow["inside"] {
  const states = children.map(stateOf);
  return {
    all: Math.max(children.length, loops.total(key) ?? 0),
    begun: children.length,
    ended: states.filter(isEnded).length,
    failed: states.filter((state) => state === "failed").length,
  };
}

/** The key of a line, which no other line has. */
export function keyOf(row: TimelineRow): string {
  switch (row.kind) {
    case "node":
      return row.node.key;
    case "picker":
      return `${row.loop.key}#picker`;
    case "iteration":
      return `${row.loop}[${row.number}]`;
  }
}

/** Index of the line with the buttons of the innermost loop that a line is in; undefined if it is in none. */
export function pickerAbove(rows: readonly TimelineRow[], index: number): number | undefined {
  let depth = depthOf(rows[index]);
  for (let at = index; at >= 0; at--) {
    const row = rows[at];
    if (row?.kind === "picker" && row.depth <= depth) {
      return at;
    }
    depth = Math.min(depth, depthOf(row));
    if (depth === 0) {
      return undefined;
    }
  }
  return undefined;
}

function depthOf(row: TimelineRow | undefined): number {
  return row?.depth ?? 0;
}
