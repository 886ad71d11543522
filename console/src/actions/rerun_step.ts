import { type Action, note, option, place, REASON } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { ReuseView } from "#/pages/graph/reuse_view.tsx";
import { inputTextOptions } from "#/parts/command.ts";
import { words } from "#/words/words.ts";

/** Starts a new run at the selected step, which reuses what does not come after it. */
export const rerunStep: Action = {
  id: "rerun",
  label: words.actions.rerun,
  help: ({ step }) => words.actions.rerunHelp(step?.key ?? ""),
  role: "runner",
  needsInput: true,
  Details: ReuseView,
  isOffered: ({ step }) => step !== undefined && step.key !== "",
  fields: ({ run }) => [
    { name: "input", label: words.actions.input, kind: "object", initial: JSON.stringify(run.input ?? {}, null, 2) },
    REASON,
  ],
  act: async (subject, values, key) => {
    const input = values.input as Record<string, never> | undefined;
    const body = { step: subject.step?.key ?? "", ...note(values), ...(input === undefined ? {} : { input }) };
    return (await result(subject.api.POST("/runs/{id}:rerun", { params: place(subject, key), body }))).id;
  },
  command: ({ run, step }, texts) => [
    "runs",
    "rerun",
    run.id,
    step?.key ?? "",
    ...inputTextOptions(texts.input),
    ...option("--reason", texts.reason),
  ],
};
