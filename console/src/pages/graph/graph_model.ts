import type { Step, StepState } from "#/api/types.ts";
import { begun, ended } from "#/live/folded.ts";
import type { Branch, FlowDocument, FlowStep } from "#/pages/definitions/flow_document.ts";

/** A node of the graph: a step of the definition, or a branch inside one. */
export interface GraphNode {
  /** The ids from the outside in: `count.tokenize`. The key of a run's step without the numbers of iterations. */
  readonly key: string;
  readonly label: string;
  readonly kind: string;
  readonly children: readonly GraphNode[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** What a run did at a node: several steps for a node inside a loop. */
export interface NodeStatus {
  readonly state: StepState;
  readonly ended: number;
  readonly all: number;
  /** The key of the step that matters most: one that failed, else one that runs, else the last one. */
  readonly step: string;
}

/** The graph of a definition. */
export function flowGraph(document: FlowDocument): Graph {
  const edges: GraphEdge[] = [];
  const nodes = list(document.steps ?? [], "", edges);
  return { nodes, edges };
}

function list(steps: readonly FlowStep[], outer: string, edges: GraphEdge[]): readonly GraphNode[] {
  const keyOf = (id: string) => (outer === "" ? id : `${outer}.${id}`);
  return steps.map((step, index) => {
    const before = steps[index - 1];
    const needs = step.needs ?? (before === undefined ? [] : [before.id]);
    const key = keyOf(step.id);
    for (const need of needs) {
      // A step may also need one outside its list, which has no edge within it.
      if (steps.some((other) => other.id === need)) {
        edges.push({ from: keyOf(need), to: key });
      }
    }
    return { key, label: step.id, kind: kindOf(step), children: children(step, key, edges) };
  });
}

function children(step: FlowStep, key: string, edges: GraphEdge[]): readonly GraphNode[] {
  const branches = [
    ...(step.switch?.cases ?? []).map((branch, index) => [`case-${index}`, caseLabel(branch), branch] as const),
    ...(step.switch?.default === undefined ? [] : [["default", "default", step.switch.default] as const]),
    ...(step.parallel?.branches ?? []).map(
      (branch, index) => [`branch-${index}`, branch.name ?? `${index}`, branch] as const,
    ),
  ];
  if (branches.length === 0) {
    return list(step.steps ?? [], key, edges);
  }
  // Keys of steps do not name the branch they are in.
  return branches
    .filter(([, , branch]) => (branch.steps ?? []).length > 0)
    .map(([id, label, branch]) => ({
      key: `${key}/${id}`,
      label,
      kind: "branch",
      children: list(branch.steps ?? [], key, edges),
    }));
}

function caseLabel(branch: Branch): string {
  const condition = branch.equals ?? branch.when;
  return typeof condition === "string" ? condition : JSON.stringify(condition ?? "");
}

function kindOf(step: FlowStep): string {
  if (step.for_each !== undefined) {
    return "for_each";
  }
  const kinds = ["while", "switch", "parallel", "script", "handler", "flow", "wait", "steps"] as const;
  return kinds.find((kind) => step[kind] !== undefined) ?? "step";
}

/** What a run did at each node. A loop has a step of its own, which is none of its iterations. */
export function statuses(steps: Iterable<Step>): ReadonlyMap<string, NodeStatus> {
  const found = new Map<string, NodeStatus>();
  const iterations = new Map<string, NodeStatus>();
  for (const step of steps) {
    const key = step.key.replaceAll(/\[\d+\]/g, "");
    const counts = step.iterations;
    if (counts !== undefined && counts.only_live !== true && key === step.key) {
      const all = Math.max(counts.total ?? 0, begun(counts));
      found.set(key, { state: step.state, ended: ended(counts), all, step: step.key });
    } else if (step.key.endsWith("]")) {
      iterations.set(key, sum(iterations.get(key), step));
    } else {
      found.set(key, sum(key === step.key ? undefined : found.get(key), step));
    }
  }
  for (const [key, inside] of iterations) {
    const loop = found.get(key);
    if (loop === undefined) {
      found.set(key, inside);
    } else if (loop.all === 1 || key.includes(".")) {
      const step = rank(inside.state) < rank(loop.state) ? inside.step : loop.step;
      found.set(key, { state: loop.state, ended: inside.ended, all: inside.all, step });
    }
  }
  return found;
}

function sum(known: NodeStatus | undefined, { key, state }: Step): NodeStatus {
  const ended = isEnded(state) ? 1 : 0;
  if (known === undefined) {
    return { state, ended, all: 1, step: key };
  }
  const isMoreImportant = rank(state) <= rank(known.state);
  return {
    state: isMoreImportant ? state : known.state,
    ended: known.ended + ended,
    all: known.all + 1,
    step: isMoreImportant ? key : known.step,
  };
}

function isEnded(state: StepState): boolean {
  return state !== "queued" && state !== "running";
}

function rank(state: StepState): number {
  return (["failed", "running", "queued", "canceled", "succeeded", "skipped"] as const).indexOf(state);
}
