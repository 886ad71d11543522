import { type Action, note, option, place, REASON } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { words } from "#/words/words.ts";

/** Ends the selected step with a result that a person gives. */
export const skipStep: Action = {
  id: "skip",
  label: words.actions.skip,
  help: ({ step }) => words.actions.skipHelp(step?.key ?? ""),
  role: "developer",
  isOffered: ({ run, step }) => !isEnded(run.state) && step !== undefined && step.key !== "" && !isEnded(step.state),
  fields: () => [{ name: "result", label: words.actions.result, kind: "json", initial: "null" }, REASON],
  act: async (subject, values, key) => {
    const body = { step: subject.step?.key ?? "", ...note(values), result: values.result ?? null };
    await result(subject.api.POST("/runs/{id}:skip", { params: place(subject, key), body }));
    return undefined;
  },
  command: ({ run, step }, texts) => [
    "runs",
    "skip",
    run.id,
    step?.key ?? "",
    ...option("--result", texts.result),
    ...option("--reason", texts.reason),
  ],
};
