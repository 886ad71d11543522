import type { Step } from "#/api/types.ts";
import { outerKey } from "#/pages/run/timeline/step_tree.ts";

/** The steps that failed of themselves: one around another failed step has failed for that reason, and is left out. */
export function failedSteps(steps: Iterable<Step>): readonly Step[] {
  const failed = [...steps].filter(({ state, key }) => state === "failed" && key !== "");
  const around = new Set<string>();
  for (const { key } of failed) {
    for (let outer = outerKey(key); outer !== "" && !around.has(outer); outer = outerKey(outer)) {
      around.add(outer);
    }
  }
  return failed.filter(({ key }) => !around.has(key));
}
