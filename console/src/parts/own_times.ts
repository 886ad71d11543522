import type { Run, Step } from "#/api/types.ts";
import { millisOf } from "#/parts/time.ts";

/*
 * A rerun takes over steps with the times that they have in the earlier run. A run's own time begins with its creation: a
 * step that ended before is reused and does not count, and a container that was open before counts from then on.
 */

/** Whether a run has taken a step over from the run before: such a step has ended before the run was accepted. */
export function isReused(step: Pick<Step, "end_time"> | undefined, run: Run): boolean {
  return (
    run.origin?.relation === "rerun" &&
    step?.end_time !== undefined &&
    Date.parse(step.end_time) < Date.parse(run.create_time)
  );
}

/** When a step began in its run; when it began in the earlier run if it is reused. */
export function stepStart(step: Step, run: Run): string | undefined {
  return isReused(step, run) ? step.start_time : noEarlier(step.start_time, run.create_time);
}

/**
 * When a run began, as far as that is known.
 *
 * @param steps those of the run, which tell of a running run before the server does
 */
export function runStart(run: Run, steps: Iterable<Step> = []): string | undefined {
  if (run.start_time !== undefined) {
    return noEarlier(run.start_time, run.create_time);
  }
  const starts = [...steps]
    .filter((step) => !isReused(step, run))
    .map((step) => (step.kind === "wait" ? step.create_time : stepStart(step, run)))
    .filter((time) => time !== undefined);
  return starts.reduce<string | undefined>(
    (first, time) => (first === undefined || Date.parse(time) < Date.parse(first) ? time : first),
    undefined,
  );
}

/** How long a run waited for its begin after it was accepted, in milliseconds; undefined if it has not begun. */
export function queuedMillis(run: Run, steps: Iterable<Step> = []): number | undefined {
  return between(run.create_time, runStart(run, steps));
}

/** How long a run took from its begin, in milliseconds; undefined if it has not begun or not ended. */
export function runMillis(run: Run): number | undefined {
  return between(runStart(run), run.end_time);
}

/** How long a step ran in its run, in milliseconds; undefined if it has not run to an end. */
export function stepMillis(step: Step | undefined, run: Run): number | undefined {
  return step === undefined ? undefined : between(stepStart(step, run), step.end_time);
}

function between(start: string | undefined, end: string | undefined): number | undefined {
  const [from, to] = [millisOf(start), millisOf(end)];
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}

function noEarlier(time: string | undefined, least: string): string | undefined {
  return time !== undefined && Date.parse(time) < Date.parse(least) ? least : time;
}
