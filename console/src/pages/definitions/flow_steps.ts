import type { Branch, FlowDocument, FlowStep } from "#/pages/definitions/flow_document.ts";

/** Ids of the steps of which a step with hooks consists, in their order. */
export const [BEFORE_RETRY, BEFORE, RUN, AFTER] = ["~before_retry", "~before", "~run", "~after"] as const;

/** The step of a definition that a key names, with or without iterations: `count[3].tokenize`; undefined if there is none. */
export function stepAt(document: FlowDocument, key: string): FlowStep | undefined {
  let lists: readonly (readonly FlowStep[])[] = [document.steps ?? []];
  let found: FlowStep | undefined;
  for (const part of key.split(".")) {
    found = lists.flat().find(({ id }) => id === idOf(part));
    if (found === undefined) {
      return undefined;
    }
    lists = listsOf(found);
  }
  return found;
}

/** The id of a step in a part of a key, which may name an iteration. */
export function idOf(part: string): string {
  return part.replaceAll(/\[\d+\]/g, "");
}

/** The steps of which a step with hooks consists; none if it has no hooks. */
function hooksOf({ before_retry: beforeRetry, before, after, ...step }: FlowStep): readonly FlowStep[] {
  if (beforeRetry === undefined && before === undefined && after === undefined) {
    return [];
  }
  const { needs: _, ...run } = step;
  return [
    ...(beforeRetry === undefined ? [] : [{ id: BEFORE_RETRY }]),
    ...(before === undefined ? [] : [{ id: BEFORE }]),
    { ...run, id: RUN },
    ...(after === undefined ? [] : [{ id: AFTER }]),
  ];
}

/** The lists of steps inside a step. Keys do not name the branch. */
export function listsOf(step: FlowStep): readonly (readonly FlowStep[])[] {
  const hooks = hooksOf(step);
  if (hooks.length > 0) {
    return [hooks];
  }
  const branches: readonly Branch[] = [
    ...(step.switch?.cases ?? []),
    ...(step.switch?.default === undefined ? [] : [step.switch.default]),
    ...(step.parallel?.branches ?? []),
  ];
  return branches.length === 0 ? [step.steps ?? []] : branches.map(({ steps = [] }) => steps);
}
