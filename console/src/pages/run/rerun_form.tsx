import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { type FormProps, option, place, type Subject } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import type { Step } from "#/api/types.ts";
import { stepAt } from "#/pages/definitions/flow_steps.ts";
import type { Schema } from "#/pages/definitions/form/schema.ts";
import type { Input } from "#/pages/definitions/input_draft.ts";
import { FormOrJson, InputFields, placedAt } from "#/pages/definitions/input_fields.tsx";
import { scriptQuery } from "#/pages/definitions/queries.ts";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { type EditedInput, useInputDraft } from "#/pages/definitions/use_input_draft.ts";
import { useInputSchema } from "#/pages/definitions/use_input_schema.ts";
import { ReuseView } from "#/pages/graph/reuse_view.tsx";
import { Button } from "#/parts/button.tsx";
import { inputOptions } from "#/parts/command.ts";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { flowOf } from "#/parts/target.ts";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** Kinds of steps that run a job, and so have an input. */
const JOBS: readonly string[] = ["script", "handler"];

/** Starts a new run at a step, with another version of the flow or another input if one likes. */
export function RerunForm(props: FormProps) {
  const ofRun = useInputSchema(props.subject.run);
  const ofStep = useStepSchema(props.subject);
  return ofRun.isPending || ofStep.isPending ? (
    <Loading />
  ) : (
    <Fields {...props} runSchema={ofRun.schema} stepSchema={ofStep.schema} />
  );
}

interface FieldsProps extends FormProps {
  readonly runSchema: Schema | undefined;
  readonly stepSchema: Schema | undefined;
}

function Fields({ subject, callKey, onSent, onClose, runSchema, stepSchema }: FieldsProps) {
  const { run, step } = subject;
  const other = otherVersion(subject);
  // Whoever reruns a failed run after a deployment has repaired what failed.
  const [version, setVersion] = useState(run.state === "failed" ? (other ?? "") : "");
  const [reason, setReason] = useState("");
  const runInput = useInputDraft(runSchema, run.input ?? {});
  const stepInput = useInputDraft(stepSchema, step?.input ?? {});
  const sending = useMutation({
    mutationFn: (body: RerunBody) =>
      result(subject.api.POST("/runs/{id}:rerun", { params: place(subject, callKey), body })),
    onSuccess: ({ id }) => onSent(id),
  });
  const changed = {
    ...(isChanged(stepInput.input, step?.input) ? { step_input: stepInput.input as Record<string, never> } : {}),
    ...(isChanged(runInput.input, run.input) ? { input: runInput.input as Record<string, never> } : {}),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const areRead = [runInput.read(), stepInput.read()].every((input) => input !== undefined);
    if (areRead) {
      sending.mutate({
        step: step?.key ?? "",
        ...changed,
        ...(version === "" ? {} : { flow_hash: version }),
        ...(reason.trim() === "" ? {} : { reason }),
      });
    }
  };
  const placed = [
    placedAt(sending.error, "input", runInput),
    placedAt(sending.error, "step_input", stepInput),
  ] as const;
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <p className="text-sm text-muted">{words.actions.rerunHelp(step?.key ?? "")}</p>
      <ReuseView subject={subject} version={version} />
      {other !== undefined && (
        <Labeled label={words.actions.version}>
          {(id) => (
            <select id={id} value={version} className={BOX} onChange={(event) => setVersion(event.target.value)}>
              <option value="">{words.actions.versionOfRun}</option>
              <option value={other}>{words.actions.versionDeployed(other.slice(0, 12))}</option>
            </select>
          )}
        </Labeled>
      )}
      {hasInput(step) && (
        <InputSection
          title={words.actions.stepInput(step.key)}
          help={words.actions.stepInputHelp}
          edited={stepInput}
          placed={placed[1]}
        />
      )}
      <InputSection title={words.actions.runInput} edited={runInput} placed={placed[0]} />
      <Labeled label={words.actions.reason}>
        {(id) => (
          <input
            id={id}
            maxLength={1_000}
            className={BOX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Labeled>
      {sending.error !== null && (
        <ProblemView error={sending.error} atFields={new Set([...placed[0].named, ...placed[1].named])} />
      )}
      <div className="space-y-1">
        <p className="text-xs text-muted">{words.common.sameByCommand}</p>
        <ActionCommandLine
          args={[
            "runs",
            "rerun",
            run.id,
            step?.key ?? "",
            ...option("--flow-hash", version),
            ...inputOptions(changed.step_input ?? {}, "--step-input"),
            ...inputOptions(changed.input ?? {}),
            ...option("--reason", reason),
          ]}
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.common.close}</Button>
        <Button type="submit" kind="primary" disabled={sending.isPending}>
          {words.actions.rerun}
        </Button>
      </div>
    </form>
  );
}

interface RerunBody {
  readonly step: string;
  readonly step_input?: Record<string, never>;
  readonly input?: Record<string, never>;
  readonly flow_hash?: string;
  readonly reason?: string;
}

const BOX = "w-full rounded-md border border-line bg-ground px-2.5 py-1.5 text-sm";

function Labeled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface InputSectionProps {
  readonly title: string;
  readonly help?: string;
  readonly edited: EditedInput;
  readonly placed: ReturnType<typeof placedAt>;
}

function InputSection({ title, help, edited, placed }: InputSectionProps) {
  return (
    <fieldset className="rounded-md border border-line p-3 pt-1">
      <legend className="px-1 text-sm font-medium">{title}</legend>
      <div className="space-y-3">
        {help !== undefined && <p className="text-xs text-muted">{help}</p>}
        <FormOrJson edited={edited} />
        <InputFields edited={edited} label={title} placed={placed} />
      </div>
    </fieldset>
  );
}

/** The schema of the input of the script that a step runs; undefined if it runs none, or the caller may not see it. */
function useStepSchema({ run, step }: Subject): { readonly isPending: boolean; readonly schema: Schema | undefined } {
  const flow = useFlowDocument(flowOf(run), run.target.flow_hash);
  const document = flow.data?.document;
  const script = document === undefined || step === undefined ? undefined : stepAt(document, step.key)?.script;
  const hash = flow.data?.flow.scripts?.find(({ path }) => path === script)?.hash;
  const found = useQuery({ ...scriptQuery(useWorkspace(), script ?? "", hash), enabled: hash !== undefined });
  return {
    isPending: (flowOf(run) !== undefined && flow.isPending) || (hash !== undefined && found.isPending),
    schema: found.data?.input_schema as Schema | undefined,
  };
}

/** The version that is deployed now, unless the run has executed it. */
function otherVersion({ run, deployed }: Subject): string | undefined {
  return deployed === run.target.flow_hash ? undefined : deployed;
}

function hasInput(step: Step | undefined): step is Step {
  return step !== undefined && JOBS.includes(step.kind) && step.input != null;
}

function isChanged(input: Input, before: unknown): boolean {
  return JSON.stringify(input) !== JSON.stringify(before ?? {});
}
