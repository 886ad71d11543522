import { type Action, note, option, place, REASON } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { inputTextOptions } from "#/parts/command.ts";
import { words } from "#/words/words.ts";

/** Starts a new run of the same version, with the same input or another one. */
export const restartRun: Action = {
  id: "restart",
  label: words.actions.restart,
  help: () => words.actions.restartHelp,
  role: "runner",
  needsInput: true,
  isOffered: () => true,
  fields: ({ run }) => [
    { name: "input", label: words.actions.input, kind: "object", initial: JSON.stringify(run.input ?? {}, null, 2) },
    REASON,
  ],
  act: async (subject, values, key) => {
    const input = values.input as Record<string, never> | undefined;
    const body = input === undefined ? note(values) : { ...note(values), input };
    return (await result(subject.api.POST("/runs/{id}:restart", { params: place(subject, key), body }))).id;
  },
  command: ({ run }, texts) => [
    "runs",
    "restart",
    run.id,
    ...inputTextOptions(texts.input),
    ...option("--reason", texts.reason),
  ],
};
