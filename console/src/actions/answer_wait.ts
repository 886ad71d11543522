import { option } from "#/actions/action.ts";
import type { Wait } from "#/api/types.ts";

/** What people can answer to a step that waits for them. */
export type Verdict = "approve" | "deny" | "complete";

/** What a person answers. */
export interface Answer {
  readonly payload?: unknown;
  /** The name of the person, if the server does not know it. */
  readonly actor?: string;
}

/** A step that waits for people. */
export interface WaitingStep {
  readonly run: string;
  readonly step: string;
}

/** The answers that a wait takes. */
export function verdictsOf(wait: Wait): readonly Verdict[] {
  switch (wait.kind) {
    case "approval":
      return ["approve", "deny"];
    case "human":
      return ["complete", "deny"];
    default:
      return [];
  }
}

/** Arguments of the `millrace` command that answers the same. */
export function answerArguments({ run, step }: WaitingStep, verdict: Verdict, answer: Answer): readonly string[] {
  const payload = answer.payload === undefined ? undefined : JSON.stringify(answer.payload);
  return ["runs", verdict, run, step, ...option("--payload", payload), ...option("--actor", answer.actor)];
}
