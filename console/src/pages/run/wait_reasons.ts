import type { ExplainedStep, Explanation } from "#/api/types.ts";

/** Reasons that are shown without opening the list. */
const FIRST_MAX = 3;

/** Why a run makes no progress. */
export interface WaitReasons {
  /** What holds for the run as a whole; empty if the server says nothing. */
  readonly summary: string;
  readonly first: readonly ExplainedStep[];
  /** Reasons that are shown only on request. */
  readonly rest: readonly ExplainedStep[];
  /** Steps that the answer leaves out. */
  readonly leftOut: number;
}

/**
 * The reasons why a run does not go on; undefined while one of its steps runs.
 *
 * @param asked the steps that wait for an answer, which the page offers elsewhere
 */
export function waitReasons(
  explanation: Explanation | undefined,
  asked: ReadonlySet<string> = new Set(),
): WaitReasons | undefined {
  const steps = explanation?.steps ?? [];
  const waiting = steps.filter(({ step }) => !asked.has(step ?? ""));
  const summary = explanation?.summary ?? "";
  const isRunning = steps.some(({ cause }) => cause === "running");
  if (isRunning || (waiting.length === 0 && (steps.length > 0 || summary === ""))) {
    return undefined;
  }
  return {
    summary,
    first: waiting.slice(0, FIRST_MAX),
    rest: waiting.slice(FIRST_MAX),
    leftOut: explanation?.steps_left_out ?? 0,
  };
}
