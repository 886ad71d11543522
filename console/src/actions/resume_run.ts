import { type Action, note, option, place } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { words } from "#/words/words.ts";

/** Resumes a paused run. */
export const resumeRun: Action = {
  id: "resume",
  label: words.actions.resume,
  role: "runner",
  isOffered: ({ run }) => !isEnded(run.state) && run.paused === true,
  fields: () => [],
  act: async (subject, values, key) => {
    await result(subject.api.POST("/runs/{id}:resume", { params: place(subject, key), body: note(values) }));
    return undefined;
  },
  command: ({ run }, texts) => ["runs", "resume", run.id, ...option("--reason", texts.reason)],
};
