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
  /** The path of the deployed flow that the step runs, if the definition names one. */
  readonly flow?: string;
  /** Whether that flow becomes a run of its own, whose steps the run around it does not have. */
  readonly isRun?: boolean;
}

/** Flows that are shown inside the steps that run them, by the keys of these steps. */
export type OpenFlows = ReadonlyMap<string, FlowDocument>;

const NONE_OPEN: OpenFlows = new Map();

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
  /** The run of its own that the step has started, if it is one step. */
  readonly child?: string;
}

/** The graph of a definition. */
export function flowGraph(document: FlowDocument, open = NONE_OPEN): Graph {
  const edges: GraphEdge[] = [];
  const nodes = list(document.steps ?? [], "", { edges, open });
  return { nodes, edges };
}

interface Drawing {
  readonly edges: GraphEdge[];
  readonly open: OpenFlows;
}

function list(steps: readonly FlowStep[], outer: string, drawing: Drawing): readonly GraphNode[] {
  const keyOf = (id: string) => (outer === "" ? id : `${outer}.${id}`);
  return steps.map((step, index) => {
    const before = steps[index - 1];
    const needs = step.needs ?? (before === undefined ? [] : [before.id]);
    const key = keyOf(step.id);
    for (const need of needs) {
      // A step may also need one outside its list, which has no edge within it.
      if (steps.some((other) => other.id === need)) {
        drawing.edges.push({ from: keyOf(need), to: key });
      }
    }
    const path = typeof step.flow === "string" && !step.flow.includes("${{") ? step.flow : undefined;
    return {
      key,
      label: step.id,
      kind: kindOf(step),
      children: children(step, key, drawing),
      ...(path === undefined ? {} : { flow: path }),
      ...(step.as === "run" ? { isRun: true } : {}),
    };
  });
}

function children(step: FlowStep, key: string, drawing: Drawing): readonly GraphNode[] {
  const branches = [
    ...(step.switch?.cases ?? []).map((branch, index) => [`case-${index}`, caseLabel(branch), "case", branch] as const),
    ...(step.switch?.default === undefined ? [] : [["default", "default", "case", step.switch.default] as const]),
    ...(step.parallel?.branches ?? []).map(
      (branch, index) => [`branch-${index}`, branch.name ?? `${index}`, "branch", branch] as const,
    ),
  ];
  if (branches.length === 0) {
    const inner = drawing.open.get(key) ?? (typeof step.flow === "object" ? step.flow : undefined);
    return inner === undefined ? list(step.steps ?? [], key, drawing) : flowInside(inner, key, drawing);
  }
  // Keys of steps do not name the branch they are in.
  return branches.map(([id, label, kind, branch]) => ({
    key: `${key}/${id}`,
    label,
    kind,
    children: list(branch.steps ?? [], key, drawing),
  }));
}

/** The steps of a flow inside a step; those of a flow with steps for its failure have one more level in their keys. */
function flowInside(flow: FlowDocument, key: string, drawing: Drawing): readonly GraphNode[] {
  const hasFailure = flow.on_failure !== undefined || flow.failure_flow !== undefined;
  return list(flow.steps ?? [], hasFailure ? `${key}.~steps` : key, drawing);
}

/** When a case is chosen: `= 0`, or its condition without the marks of an expression. */
function caseLabel({ equals, when }: Branch): string {
  const condition = equals ?? when;
  const text = typeof condition === "string" ? condition : JSON.stringify(condition ?? null);
  const [, expression] = /^\$\{\{\s*(.*?)\s*\}\}$/s.exec(text) ?? [];
  return equals === undefined ? (expression ?? text) : `= ${expression ?? text}`;
}

/** The keys that say what a step does. */
const KINDS = [
  "while",
  "switch",
  "parallel",
  "script",
  "handler",
  "flow",
  "wait",
  "steps",
  "value",
  "set",
  "publish",
  "start",
  "terminate",
] as const;

function kindOf(step: FlowStep): string {
  if (step.for_each !== undefined) {
    return "for_each";
  }
  return KINDS.find((kind) => step[kind] !== undefined) ?? "step";
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

function sum(known: NodeStatus | undefined, { key, state, child_run_id: child }: Step): NodeStatus {
  const ended = isEnded(state) ? 1 : 0;
  if (known === undefined) {
    return { state, ended, all: 1, step: key, ...(child ? { child } : {}) };
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
