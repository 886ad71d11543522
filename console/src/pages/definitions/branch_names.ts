import type { FlowDocument, FlowStep } from "#/pages/definitions/flow_document.ts";
import { idOf, listsOf } from "#/pages/definitions/flow_steps.ts";

/** The name of the branch with this key: `other` for `a[3].both[1]`. */
export function nameOf(names: ReadonlyMap<string, readonly string[]>, key: string): string | undefined {
  const [, step = "", number = ""] = /^(.*)\[(\d+)\]$/.exec(key) ?? [];
  return names.get(idOf(step))?.[Number(number)];
}

/** A key with the names of branches beside their numbers: `both[1 other].y`. */
export function shownKey(key: string, branchName: (key: string) => string | undefined): string {
  return key.replace(/\]/g, (end, at: number) => {
    const name = branchName(key.slice(0, at + 1));
    return name === undefined || name === "" ? end : ` ${name}]`;
  });
}

/** A message of the server that begins with the key of a step, with the names of branches in that. */
export function shownMessage(message: string, shown: (key: string) => string): string {
  return message.replace(/^Step "([^"\n]+)"/, (_, key: string) => `Step "${shown(key)}"`);
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
