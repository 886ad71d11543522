import { type Action, note, option, place, REASON } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { words } from "#/words/words.ts";

/** Cancels a run; its running jobs are stopped. */
export const cancelRun: Action = {
  id: "cancel",
  label: words.actions.cancel,
  help: () => words.actions.cancelHelp,
  isDangerous: true,
  role: "runner",
  isOffered: ({ run }) => !isEnded(run.state),
  fields: () => [REASON],
  act: async (subject, values, key) => {
    await result(subject.api.POST("/runs/{id}:cancel", { params: place(subject, key), body: note(values) }));
    return undefined;
  },
  command: ({ run }, texts) => ["runs", "cancel", run.id, ...option("--reason", texts.reason)],
};
