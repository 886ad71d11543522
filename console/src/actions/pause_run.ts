import { type Action, note, option, place } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { words } from "#/words/words.ts";

/** Pauses a run; its running jobs finish. */
export const pauseRun: Action = {
  id: "pause",
  label: words.actions.pause,
  role: "runner",
  isOffered: ({ run }) => !isEnded(run.state) && run.paused !== true,
  fields: () => [],
  act: async (subject, values, key) => {
    await result(subject.api.POST("/runs/{id}:pause", { params: place(subject, key), body: note(values) }));
    return undefined;
  },
  command: ({ run }, texts) => ["runs", "pause", run.id, ...option("--reason", texts.reason)],
};
