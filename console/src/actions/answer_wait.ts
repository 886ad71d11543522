import { type Action, option, place } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import type { Wait } from "#/api/types.ts";
import { words } from "#/words/words.ts";

/** What people can answer to a step that waits for them. */
export type Verdict = "approve" | "deny" | "complete";

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

/** Answers a step that waits for people. */
export function answerWait(step: string, verdict: Verdict): Action {
  return {
    id: verdict,
    label: words.actions[verdict],
    help: () => words.actions.answerHelp(step),
    role: "runner",
    isDangerous: verdict === "deny",
    isOffered: () => true,
    fields: () => [{ name: "payload", label: words.actions.comment, kind: "json" }],
    act: async (subject, values, key) => {
      const body = { step, ...("payload" in values ? { payload: values.payload } : {}) };
      const params = place(subject, key);
      switch (verdict) {
        case "approve":
          await result(subject.api.POST("/runs/{id}:approve", { params, body }));
          break;
        case "deny":
          await result(subject.api.POST("/runs/{id}:deny", { params, body }));
          break;
        case "complete":
          await result(subject.api.POST("/runs/{id}:complete", { params, body }));
          break;
      }
      return undefined;
    },
    command: ({ run }, texts) => ["runs", verdict, run.id, step, ...option("--payload", texts.payload)],
  };
}
