import { type Action, note, option, place } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { words } from "#/words/words.ts";

/** Runs the failed steps of a run again. */
export const retryRun: Action = {
  id: "retry",
  label: words.actions.retry,
  help: () => words.actions.retryHelp,
  role: "runner",
  isOffered: ({ run }) => run.state === "failed" || run.state === "canceled",
  fields: () => [],
  act: async (subject, values, key) => {
    await result(subject.api.POST("/runs/{id}:retry", { params: place(subject, key), body: note(values) }));
    return undefined;
  },
  command: ({ run }, texts) => ["runs", "retry", run.id, ...option("--reason", texts.reason)],
};
