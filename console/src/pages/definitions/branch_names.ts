import type { FlowDocument, FlowStep } from "#/pages/definitions/flow_document.ts";
import { idOf, listsOf } from "#/pages/definitions/flow_steps.ts";

/** The name of the branch with this key: `other` for `a[3].both[1]`. */
export function nameOf(names: ReadonlyMap<string, readonly string[]>, key: string): string | undefined {
  const [, step = "", number = ""] = /^(.*)\[(\d+)\]$/.exec(key) ?? [];
  return names.get(idOf(step))?.[Number(number)];
}

/** The names of the branches of each parallel step, by its key without the numbers of iterations. */
export function namesIn({ steps = [], on_failure: failure }: FlowDocument): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const add = (list: readonly FlowStep[], outer: string) => {
    for (const step of list) {
      const key = outer === "" ? step.id : `${outer}.${step.id}`;
      if (step.parallel?.branches !== undefined) {
        names.set(
          key,
          step.parallel.branches.map(({ name }) => name ?? ""),
        );
      }
      for (const inner of listsOf(step)) {
        add(inner, key);
      }
    }
  };
  add(steps, "");
  add(failure?.steps ?? [], "");
  return names;
}
