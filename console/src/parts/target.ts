import type { Run } from "#/api/types.ts";

/** The path of the flow that a run executes; undefined if it executes none. A run names the version by its hash. */
export function flowOf(run: Pick<Run, "target" | "name">): string | undefined {
  return run.target.flow ?? (run.target.flow_hash === undefined ? undefined : run.name);
}

/** The path of the script that a run executes; undefined if it executes none. */
export function scriptOf(run: Pick<Run, "target" | "name">): string | undefined {
  return run.target.script ?? (run.target.script_hash === undefined ? undefined : run.name);
}
