import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import type { Action, Field, FieldAction, Subject } from "#/actions/action.ts";
import { readFields } from "#/actions/field_values.ts";
import { useStepAndVersion, useWholeRun } from "#/actions/whole_run.ts";
import { rejectionOf } from "#/api/problem.ts";
import { placedNames, rejections } from "#/forms/reading.ts";
import { Button } from "#/parts/button.tsx";
import { Modal } from "#/parts/modal.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { useOffer } from "#/shell/offers.ts";
import { useMay } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly action: Action;
  readonly subject: Subject;
  /** Called after the action, so that the page looks again. */
  readonly onDone: () => void;
}

/** A button for an action, which opens a dialog with what it asks for. Nothing is offered that a person may not do. */
export function ActionButton({ action, subject, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay(action.role, { path: subject.run.name });
  const isOffered = may && action.isOffered(subject);
  useOffer(action.label, isOffered, setOpen);
  if (!isOffered) {
    return null;
  }
  return (
    <>
      <Button kind={action.isDangerous === true ? "danger" : "plain"} onClick={() => setOpen(true)}>
        {action.label}
      </Button>
      <Modal title={action.label} isOpen={isOpen} onClose={() => setOpen(false)}>
        <LoadedForm action={action} subject={subject} onDone={onDone} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

/** The form once all that it begins with is known. */
function LoadedForm(props: Props & { readonly onClose: () => void }) {
  const isNeeded = props.action.needsInput === true;
  const needsStep = props.action.needsStep === true;
  const whole = useWholeRun(props.subject, isNeeded);
  const around = useStepAndVersion(props.subject, needsStep);
  if ((isNeeded && whole.isPending) || (needsStep && around.isPending)) {
    return <Loading />;
  }
  const failed = whole.isError ? whole : around.isError ? around : undefined;
  if (failed !== undefined) {
    return <ProblemView error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  const { input } = whole.data ?? {};
  const { run, step } = props.subject;
  const subject = {
    ...props.subject,
    run: input === undefined ? run : { ...run, input },
    step: around.data?.step ?? step,
    deployed: around.data?.deployed,
  };
  return <KnownForm {...props} subject={subject} />;
}

/** The form of an action, which may have one of its own. */
function KnownForm({ action, subject, onDone, onClose }: Props & { readonly onClose: () => void }) {
  const navigate = useNavigate();
  // One key for all tries of this dialog: an action that was sent twice happens once.
  const [key] = useState(newKey);
  const sent = (id: string | undefined) => {
    onClose();
    onDone();
    if (id !== undefined && id !== subject.run.id) {
      void navigate({ to: "/runs/$id", params: { id } });
    }
  };
  return action.Form !== undefined ? (
    <action.Form subject={subject} callKey={key} onSent={sent} onClose={onClose} />
  ) : (
    <ActionForm action={action} subject={subject} callKey={key} onSent={sent} onClose={onClose} />
  );
}

interface ActionFormProps {
  readonly action: FieldAction;
  readonly subject: Subject;
  readonly callKey: string;
  readonly onSent: (id: string | undefined) => void;
  readonly onClose: () => void;
}

function ActionForm({ action, subject, callKey: key, onSent, onClose }: ActionFormProps) {
  const fields = action.fields(subject);
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(fields.map((field) => [field.name, field.initial ?? ""])),
  );
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const acting = useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) => action.act(subject, values, key),
    onSuccess: onSent,
    onError: (error) => setProblems(rejections(fields, rejectionOf(error))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const reading = readFields(fields, texts);
    setProblems(reading.kind === "problems" ? reading.problems : {});
    if (reading.kind === "values") {
      acting.mutate(reading.values);
    }
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {action.help !== undefined && <p className="text-sm text-muted">{action.help(subject)}</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          text={texts[field.name] ?? ""}
          problem={problems[field.name]}
          onChange={(text) => setTexts((before) => ({ ...before, [field.name]: text }))}
        />
      ))}
      {acting.error !== null && (
        <ProblemView error={acting.error} atFields={placedNames(fields, rejectionOf(acting.error))} />
      )}
      <div className="space-y-1">
        <p className="text-xs text-muted">{words.common.sameByCommand}</p>
        <ActionCommandLine args={action.command(subject, texts)} />
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.common.close}</Button>
        <Button type="submit" kind="primary" disabled={acting.isPending}>
          {action.label}
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly field: Field;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

function FieldInput({ field, text, problem, onChange }: FieldProps) {
  const id = useId();
  const shared = {
    id,
    value: text,
    required: field.isRequired === true,
    "aria-invalid": problem !== undefined,
    "aria-describedby": problem === undefined ? undefined : `${id}-problem`,
    className: "w-full rounded-md border border-line bg-ground px-2.5 py-1.5 text-sm aria-invalid:border-failed",
  };
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="text-sm font-medium">
        {field.label}
      </label>
      {field.kind === "text" ? (
        <input {...shared} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea
          {...shared}
          rows={Math.min(14, Math.max(3, text.split("\n").length))}
          spellCheck={false}
          className={`${shared.className} font-mono text-xs`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {field.help !== undefined && <p className="text-xs text-muted">{field.help}</p>}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-xs text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A random key; unlike `crypto.randomUUID`, this works without TLS, too. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
