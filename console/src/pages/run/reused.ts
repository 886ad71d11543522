import type { Run, Step } from "#/api/types.ts";

/** Whether a run has taken a step over from the run before: such a step has ended before the run was accepted. */
export function isReused(step: Step | undefined, run: Run): boolean {
  return (
    run.origin?.relation === "rerun" &&
    step?.end_time !== undefined &&
    Date.parse(step.end_time) < Date.parse(run.create_time)
  );
}
