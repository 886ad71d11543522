import { type Action, option, place, REASON, type Subject } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { ReuseView } from "#/pages/graph/reuse_view.tsx";
import { inputTextOptions } from "#/parts/command.ts";
import { words } from "#/words/words.ts";

/** Kinds of steps that run a job, and so have an input. */
const JOBS: readonly string[] = ["script", "handler"];

/** Starts a new run at the selected step, which reuses what does not come after it. */
export const rerunStep: Action = {
  id: "rerun",
  label: words.actions.rerun,
  help: ({ step }) => words.actions.rerunHelp(step?.key ?? ""),
  role: "developer",
  needsInput: true,
  needsStep: true,
  Details: ReuseView,
  isOffered: ({ step }) => step !== undefined && step.key !== "",
  fields: (subject) => {
    const other = otherVersion(subject);
    const isFixed = other !== undefined && subject.run.state === "failed";
    return [
      ...(other === undefined
        ? []
        : [
            {
              name: "version",
              label: words.actions.version,
              kind: "choice" as const,
              choices: [
                ["", words.actions.versionOfRun],
                [other, words.actions.versionDeployed(other.slice(0, 12))],
              ] as const,
              // Whoever reruns a failed run after a deployment has repaired what failed.
              initial: isFixed ? other : "",
            },
          ]),
      ...(hasInput(subject)
        ? [
            {
              name: "step_input",
              label: words.actions.stepInput(subject.step?.key ?? ""),
              help: words.actions.stepInputHelp,
              kind: "object" as const,
              initial: textOf(subject.step?.input),
            },
          ]
        : []),
      { name: "input", label: words.actions.runInput, kind: "object" as const, initial: textOf(subject.run.input) },
      REASON,
    ];
  },
  act: async (subject, values, key) => {
    const { input, step_input: stepInput, version, reason } = values;
    const body = {
      step: subject.step?.key ?? "",
      ...(typeof reason === "string" ? { reason } : {}),
      ...(isChanged(input, subject.run.input) ? { input: input as Record<string, never> } : {}),
      ...(isChanged(stepInput, subject.step?.input) ? { step_input: stepInput as Record<string, never> } : {}),
      ...(typeof version === "string" ? { flow_hash: version } : {}),
    };
    return (await result(subject.api.POST("/runs/{id}:rerun", { params: place(subject, key), body }))).id;
  },
  command: ({ run, step }, texts) => [
    "runs",
    "rerun",
    run.id,
    step?.key ?? "",
    ...option("--flow-hash", texts.version),
    ...(texts.step_input === textOf(step?.input) ? [] : inputTextOptions(texts.step_input, "--step-input")),
    ...(texts.input === textOf(run.input) ? [] : inputTextOptions(texts.input)),
    ...option("--reason", texts.reason),
  ],
};

/** The version that is deployed now, unless the run has executed it. */
function otherVersion({ run, deployed }: Subject): string | undefined {
  return deployed === run.target.flow_hash ? undefined : deployed;
}

function hasInput({ step }: Subject): boolean {
  return step !== undefined && JOBS.includes(step.kind) && step.input != null;
}

function isChanged(value: unknown, before: unknown): boolean {
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(before ?? {});
}

function textOf(value: unknown): string {
  return JSON.stringify(value ?? {}, null, 2);
}
