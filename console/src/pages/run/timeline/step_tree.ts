import type { Step, StepState } from "#/api/types.ts";
import { isEnded } from "#/parts/state_badge.tsx";

/** A step of a run, or a place in a run that has no step of its own, such as an iteration with several steps. */
export interface StepNode {
  readonly key: string;
  /** The last part of the key: `tokenize` of `count[3].tokenize`, `[3]` of `count[3]`. */
  readonly label: string;
  readonly step: Step | undefined;
  readonly children: StepNode[];
}

/** The key around a key: `count[3]` of `count[3].tokenize`, `count` of `count[3]`; empty for a step of the flow. */
export function outerKey(key: string): string {
  return key.slice(0, Math.max(0, key.length - labelOf(key).length)).replace(/\.$/, "");
}

export function labelOf(key: string): string {
  return /(\[\d+\]|[^.[\]]+)$/.exec(key)?.[0] ?? key;
}

/** Marks record events of a step that are no steps: `count#open` is the begin of `count`. */
function isMark(key: string): boolean {
  return key.includes("#") && !key.startsWith("#failure");
}

type Growing = { -readonly [Field in keyof StepNode]: StepNode[Field] };

/** The steps of a run as a tree. Siblings stand in the order in which they were accepted, iterations by number. */
export function stepTree(steps: Iterable<Step>): readonly StepNode[] {
  const nodes = new Map<string, Growing>();
  const roots: StepNode[] = [];
  const place = (key: string): Growing => {
    const known = nodes.get(key);
    if (known !== undefined) {
      return known;
    }
    const node: Growing = { key, label: labelOf(key), step: undefined, children: [] };
    nodes.set(key, node);
    const outer = outerKey(key);
    (outer === "" ? roots : place(outer).children).push(node);
    return node;
  };
  for (const step of steps) {
    if (step.key !== "" && !isMark(step.key)) {
      place(step.key).step = step;
    }
  }
  sort(roots);
  return roots;
}

function sort(nodes: StepNode[]): void {
  const begins = new Map(nodes.map((node) => [node, spanOf(node).created ?? Number.POSITIVE_INFINITY]));
  nodes.sort((one, other) => iteration(one) - iteration(other) || (begins.get(one) ?? 0) - (begins.get(other) ?? 0));
  for (const node of nodes) {
    sort(node.children);
  }
}

function iteration(node: StepNode): number {
  return node.label.startsWith("[") ? Number(node.label.slice(1, -1)) : 0;
}

/** When something was accepted, began and ended, in milliseconds. */
export interface Span {
  readonly created: number | undefined;
  readonly started: number | undefined;
  readonly ended: number | undefined;
}

/** The span of a node; that of a node without a step covers what is inside it. */
export function spanOf(node: StepNode): Span {
  if (node.step !== undefined) {
    return {
      created: millis(node.step.create_time),
      started: millis(node.step.start_time),
      ended: millis(node.step.end_time),
    };
  }
  const inner = node.children.map(spanOf);
  const isOpen = inner.some((span) => span.ended === undefined);
  return {
    created: least(inner.map((span) => span.created)),
    started: least(inner.map((span) => span.started)),
    ended: isOpen ? undefined : most(inner.map((span) => span.ended)),
  };
}

/** The part of a span from a time on: what a run has taken over may have begun in another run. */
export function since(begin: number, { created, started, ended }: Span): Span {
  const noEarlier = (time: number | undefined) => (time === undefined ? undefined : Math.max(time, begin));
  return { created: noEarlier(created), started: noEarlier(started), ended: noEarlier(ended) };
}

/** The state of a node; that of a node without a step is the one that matters most inside it. */
export function stateOf(node: StepNode): StepState {
  if (node.step !== undefined) {
    return node.step.state;
  }
  const inner = node.children.map(stateOf);
  const order: readonly StepState[] = ["failed", "running", "queued", "canceled", "succeeded", "skipped"];
  return order.find((state) => inner.includes(state)) ?? "queued";
}

function millis(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

/**
 * What people are told about a node that has not ended: a place in which nothing but jobs in the queue or waits is open does
 * not run, although its step is open.
 */
export function shownStateOf(node: StepNode): StepState | "waiting" {
  const state = stateOf(node);
  if (isEnded(state)) {
    return state;
  }
  const open = node.children.map(shownStateOf).filter((inner) => inner === "waiting" || !isEnded(inner));
  if (open.length === 0) {
    return node.step?.kind === "wait" ? "waiting" : state;
  }
  return (["running", "queued", "waiting"] as const).find((inner) => open.includes(inner)) ?? state;
}

function least(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (one, other) => (one === undefined || (other !== undefined && other < one) ? other : one),
    undefined,
  );
}

function most(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (one, other) => (one === undefined || (other !== undefined && other > one) ? other : one),
    undefined,
  );
}

/** The entries inside an iteration; none if the iteration is a single step. */
export function insideOf(iteration: string, steps: readonly Step[] | undefined): readonly StepNode[] | undefined {
  const find = (nodes: readonly StepNode[]): readonly StepNode[] | undefined => {
    for (const node of nodes) {
      if (node.key === iteration) {
        return node.children;
      }
      const inner = find(node.children);
      if (inner !== undefined) {
        return inner;
      }
    }
    return undefined;
  };
  return steps === undefined ? undefined : (find(stepTree(steps)) ?? []);
}
