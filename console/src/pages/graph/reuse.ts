import type { Step } from "#/api/types.ts";
import { iterationsAround } from "#/live/folded.ts";
import type { FlowDocument, FlowStep } from "#/pages/definitions/flow_document.ts";
import { BEFORE, BEFORE_RETRY, idOf, listsOf, RUN } from "#/pages/definitions/flow_steps.ts";

/** What a rerun does with the steps of the run before, as the scheduler decides it (`RedoPlan`). */
export interface Reuse {
  /** Keys of steps whose results the new run takes over. */
  readonly reused: readonly string[];
  /** Keys of steps that run again, the first of which is the chosen one. */
  readonly again: readonly string[];
  /** Keys of the steps around the chosen one, which keep what else is inside them. */
  readonly around: readonly string[];
  /** Loops around the chosen step of whose iterations only the numbers are known. */
  readonly loops: readonly LoopReuse[];
}

/** How many iterations of a large loop a rerun reuses. */
export interface LoopReuse {
  readonly loop: string;
  readonly reused: number;
  /** Beside the one with the chosen step. */
  readonly again: number;
}

type Steps = ReadonlyMap<string, Step>;

const ITERATION = /\[(\d+)\]$/;

/**
 * Tells what a rerun from a step reuses: what has succeeded and does not come after the step. A failure that the flow
 * tolerates stays, too.
 *
 * @param chosen key of the step or the iteration: `count[3].tokenize`, `count[3]`
 * @param steps those of the run before
 */
export function reuseAfter(document: FlowDocument, chosen: string, steps: Steps): Reuse {
  if (document.same_worker === true) {
    // The folder that the steps share is gone.
    return { reused: [], again: (document.steps ?? []).map(({ id }) => id), around: [], loops: [] };
  }
  const key = beginning(document, chosen);
  const reuse = { reused: [] as string[], again: [key], around: [] as string[], loops: [] as LoopReuse[] };
  let lists: readonly (readonly FlowStep[])[] = [document.steps ?? []];
  let outer = "";
  const parts = key.split(".");
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const id = idOf(part);
    const own = outer === "" ? id : `${outer}.${id}`;
    const siblings = lists.find((list) => list.some((one) => one.id === id));
    const step = siblings?.find((one) => one.id === id);
    if (siblings === undefined || step === undefined) {
      break;
    }
    addSiblings(siblings, step, outer, steps, reuse);
    outer = outer === "" ? part : `${outer}.${part}`;
    if (own !== key) {
      reuse.around.push(own);
    }
    if (ITERATION.test(part)) {
      addIterations(step, own, outer, steps, reuse);
      if (!isLast) {
        reuse.around.push(outer);
      }
    }
    lists = listsOf(step);
  }
  return reuse;
}

/**
 * The step with which a rerun from another one begins: a step with hooks begins with the first of them, and a container
 * whose steps share a folder begins with the first of these.
 */
function beginning(document: FlowDocument, key: string): string {
  let lists: readonly (readonly FlowStep[])[] = [document.steps ?? []];
  let outer = "";
  for (const part of key.split(".")) {
    if (part === BEFORE_RETRY || part === BEFORE || (part === RUN && `${outer}.${RUN}` === key)) {
      return outer;
    }
    const id = idOf(part);
    const step = lists.flat().find((one) => one.id === id);
    if (step === undefined) {
      return key;
    }
    const own = outer === "" ? id : `${outer}.${id}`;
    if (step.same_worker === true) {
      return own;
    }
    outer = outer === "" ? part : `${outer}.${part}`;
    lists = listsOf(step);
  }
  return key;
}

interface Growing {
  readonly reused: string[];
  readonly again: string[];
  readonly loops: LoopReuse[];
}

function addSiblings(list: readonly FlowStep[], chosen: FlowStep, outer: string, steps: Steps, reuse: Growing): void {
  const again = new Set(followers(list, chosen.id));
  const keyOf = (id: string) => (outer === "" ? id : `${outer}.${id}`);
  for (const step of list) {
    const state = steps.get(keyOf(step.id))?.state;
    const isOver = state === "succeeded" || state === "skipped" || (state === "failed" && isTolerated(step));
    if (step !== chosen && !isOver) {
      again.add(step.id);
      // What has gone on after a failure at first must see the new result.
      if (state !== undefined) {
        followers(list, step.id).forEach((id) => {
          again.add(id);
        });
      }
    }
  }
  for (const { id } of list) {
    if (id !== chosen.id) {
      (again.has(id) ? reuse.again : reuse.reused).push(keyOf(id));
    }
  }
}

/** Adds the other iterations of a loop. Those of a sequential loop that come later run again. */
function addIterations(loop: FlowStep, key: string, own: string, steps: Steps, reuse: Growing): void {
  const number = numberOf(own);
  const isSequential = loop.while !== undefined || (loop.parallelism ?? 1) === 1;
  const counts = steps.get(key)?.iterations;
  if (counts !== undefined) {
    const over = counts.succeeded + counts.skipped + (loop.skip_failures === true ? counts.failed : 0);
    const begun = over + (loop.skip_failures === true ? 0 : counts.failed) + counts.canceled;
    const all = Math.max(begun, number + 1);
    const reused = isSequential ? number : Math.max(0, over - (isOver(loop, steps.get(own)) ? 1 : 0));
    reuse.loops.push({ loop: key, reused, again: Math.max(0, all - 1 - reused) });
    return;
  }
  const others = new Map<number, boolean>();
  for (const [other, step] of steps) {
    const iteration = iterationsAround(other).find((around) => around.startsWith(`${key}[`) && outerOf(around) === key);
    if (iteration !== undefined && iteration !== own) {
      const at = numberOf(iteration);
      others.set(at, (others.get(at) ?? true) && isOver(loop, step));
    }
  }
  for (const [at, isDone] of [...others].sort(([one], [other]) => one - other)) {
    (isDone && !(isSequential && at > number) ? reuse.reused : reuse.again).push(`${key}[${at}]`);
  }
}

function isOver(loop: FlowStep, step: Step | undefined): boolean {
  return (
    step?.state === "succeeded" ||
    step?.state === "skipped" ||
    (step?.state === "failed" && loop.skip_failures === true)
  );
}

function numberOf(iteration: string): number {
  return Number(ITERATION.exec(iteration)?.[1] ?? 0);
}

function outerOf(iteration: string): string {
  return iteration.replace(ITERATION, "");
}

function isTolerated(step: FlowStep): boolean {
  return step.on_failure === "continue";
}

/** Ids of the steps that need a step, directly or not. Without `needs`, a step needs the one before it. */
function followers(list: readonly FlowStep[], id: string): readonly string[] {
  const found = new Set<string>([id]);
  const needsOf = (step: FlowStep, index: number) => step.needs ?? (index === 0 ? [] : [list[index - 1]?.id ?? ""]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [index, step] of list.entries()) {
      if (needsOf(step, index).some((need) => found.has(need))) {
        found.add(step.id);
      }
    }
  }
  found.delete(id);
  return [...found];
}
