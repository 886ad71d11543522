import { result } from "#/api/client.ts";
import { choice, type FormField, OBJECT, present, TEXT, textOf } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { type BulkOperationName, type bulkFilter, selectionOptions } from "#/pages/runs/bulk.ts";
import { inputTextOptions } from "#/parts/command.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const REASON: FormField = { name: "reason", label: words.actions.reason, kind: TEXT };

/**
 * An operation on many runs.
 *
 * @param deployed hash of the version that is deployed, if all runs are of one flow
 */
export function bulkAction(
  { api }: CurrentWorkspace,
  operation: BulkOperationName,
  filter: ReturnType<typeof bulkFilter>,
  deployed: string | undefined,
  onStarted: (id: string) => void,
): FormAction {
  return {
    label: words.bulk.operations[operation],
    help: words.bulk.matching(operation),
    role: operation === "rerun" ? "developer" : "runner",
    place: "workspace",
    fields: operation === "rerun" ? [...rerunFields(deployed), REASON] : [REASON],
    act: async (values, key) => {
      const body = {
        operation,
        filter,
        ...present("step", textOf(values, "step")),
        ...present("flow_hash", textOf(values, "flow_hash")),
        ...present("step_input", values.step_input as Record<string, never> | undefined),
        ...present("reason", textOf(values, "reason")),
      };
      const header = { "Idempotency-Key": key };
      onStarted((await result(api.POST("/bulk-operations", { params: { header }, body }))).id);
      return null;
    },
    command: ({ step, flow_hash: hash, step_input: stepInput, reason }) => [
      "runs",
      operation,
      ...selectionOptions(filter),
      ...given("--flow-hash", hash),
      ...inputTextOptions(stepInput, "--step-input"),
      ...given("--reason", reason),
      ...(operation === "rerun" ? [step === undefined || step === "" ? "STEP" : step] : []),
    ],
  };
}

function rerunFields(deployed: string | undefined): readonly FormField[] {
  return [
    { name: "step", label: words.bulk.step, help: words.bulk.stepHelp, kind: TEXT, isRequired: true },
    ...(deployed === undefined
      ? []
      : [
          {
            name: "flow_hash",
            label: words.actions.version,
            kind: choice([
              [deployed, words.actions.versionDeployed(deployed.slice(0, 12))],
              ["", words.bulk.versionOfEach],
            ]),
            // Whoever reruns failed runs has mostly repaired what failed.
            initial: deployed,
          },
        ]),
    { name: "step_input", label: words.bulk.stepInput, help: words.bulk.stepInputHelp, kind: OBJECT },
  ];
}

function given(option: string, text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : [option, text];
}
