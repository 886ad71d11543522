import type { Run, RunOperation, RunState, Step } from "#/api/types.ts";
import type { Attempt } from "#/pages/run/timeline/attempts.ts";

/** Something that happened to a run. */
export type Happening =
  /** What people and programs did to the run. */
  | { readonly kind: "operation"; readonly time: string; readonly operation: RunOperation }
  /** How a wait for people or signals ended. */
  | {
      readonly kind: "answer";
      readonly time: string;
      readonly step: string;
      readonly hasSucceeded: boolean;
      /** Who answered; empty if the server does not know. */
      readonly people: readonly string[];
      /** What was said with the answers. */
      readonly payload?: unknown;
      /** Why the wait ended otherwise. */
      readonly message?: string;
    }
  /** An attempt that was not the last one of its step. */
  | { readonly kind: "attempt"; readonly time: string; readonly step: string; readonly attempt: Attempt }
  /** The end of the run, the last one if it was retried. */
  | { readonly kind: "end"; readonly time: string; readonly state: RunState };

/** Attempts that a history lists; a loop may have thousands that were retried. */
export const ATTEMPTS_MAX = 100;

/**
 * What happened to a run after its begin, in order. A rerun may follow its end.
 *
 * @param waits steps that waited, with their results
 * @param attempts those at the jobs of steps, by the ids of the jobs
 */
export function happenings(
  { state, end_time: end }: Pick<Run, "state" | "end_time">,
  operations: readonly RunOperation[],
  waits: readonly Step[],
  steps: Iterable<Step>,
  attempts: ReadonlyMap<string, readonly Attempt[]>,
): readonly Happening[] {
  const done: Happening[] = operations.map((operation) => ({
    kind: "operation",
    time: operation.create_time ?? "",
    operation,
  }));
  const retried = [...steps].flatMap((step) =>
    (attempts.get(step.job_id) ?? [])
      .filter(({ number, end }) => end !== undefined && number < step.attempt)
      .map((attempt) => attemptOf(step, attempt)),
  );
  const ends: Happening[] = end === undefined ? [] : [{ kind: "end", time: end, state }];
  const all = [...done, ...waits.flatMap(answersOf), ...retried.slice(0, ATTEMPTS_MAX), ...ends];
  return all.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

function attemptOf({ key }: Step, attempt: Attempt): Happening {
  return { kind: "attempt", time: new Date(attempt.end ?? attempt.begin).toISOString(), step: key, attempt };
}

/** How a wait ended; nothing for one that lasts, and for one that only passed time. */
function answersOf({ key, state, end_time: time, result, error }: Step): readonly Happening[] {
  if (time === undefined) {
    return [];
  }
  if (state === "failed") {
    const message = error?.message;
    const entry = { kind: "answer", time, step: key, hasSucceeded: false, people: [] } as const;
    return [message === undefined ? entry : { ...entry, message }];
  }
  const { approvers, payload } = (result ?? {}) as { approvers?: unknown; payload?: unknown };
  return Array.isArray(approvers)
    ? [
        {
          kind: "answer",
          time,
          step: key,
          hasSucceeded: true,
          people: approvers.map(String),
          payload: payload ?? undefined,
        },
      ]
    : [];
}
