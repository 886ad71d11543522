import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { rejectionOf } from "#/api/problem.ts";
import type { RoleBinding } from "#/api/types.ts";
import { type FormField, type FormTexts, type FormValues, initialTexts } from "#/forms/field.ts";
import { FieldInput } from "#/forms/field_input.tsx";
import { type FormCommand, formCommand } from "#/forms/form_command.ts";
import { placedNames, readForm, rejections } from "#/forms/reading.ts";
import { Button } from "#/parts/button.tsx";
import { FileText } from "#/parts/file_text.tsx";
import { newKey } from "#/parts/key.ts";
import { Modal } from "#/parts/modal.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { useOffer } from "#/shell/offers.ts";
import type { Place } from "#/shell/roles.ts";
import { useMay } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

/** Something that people can do, with a dialog that asks for what it needs. */
export interface FormAction {
  readonly label: string;
  readonly title?: string;
  readonly help?: ReactNode;
  /** The role without which the action is not offered; the server decides for good. */
  readonly role: RoleBinding["role"];
  /** Where the role is needed, if that is known before the dialog. */
  readonly place?: Place;
  readonly kind?: "plain" | "primary" | "danger";
  /** Why the action would be refused, if that is known before. */
  readonly blocked?: string | undefined;
  readonly fields?: readonly FormField[];
  /**
   * Acts. What it returns is shown in the dialog, which stays open for it: a token that is shown once, for example.
   *
   * @param key makes it harmless to send the same call twice
   */
  readonly act: (values: FormValues, key: string) => Promise<ReactNode>;
  /** The `millrace` command that does the same, if there is one; arguments alone if it reads no file. */
  readonly command?: (texts: FormTexts) => FormCommand | readonly string[];
  /** Whether it acts on the installation, so that the command takes no workspace. */
  readonly isShared?: boolean;
}

interface Props {
  readonly action: FormAction;
  /** Called after the action, so that the page looks again. */
  readonly onDone: () => void;
}

/** A button that opens the dialog of an action. Nothing is offered that a person may not do. */
export function FormButton({ action, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay(action.role, action.place);
  const isBlocked = action.blocked !== undefined;
  useOffer(action.label, may && !isBlocked, setOpen);
  if (!may) {
    return null;
  }
  return (
    <>
      <Button kind={action.kind ?? "plain"} disabled={isBlocked} title={action.blocked} onClick={() => setOpen(true)}>
        {action.label}
      </Button>
      <Modal title={action.title ?? action.label} isOpen={isOpen} onClose={() => setOpen(false)}>
        <FormDialog action={action} onDone={onDone} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

/** The command that does the same as an action, if there is one. */
export function ActionCommand({ action, texts }: { action: FormAction; texts: FormTexts }) {
  if (action.command === undefined) {
    return null;
  }
  const { args, file } = formCommand(action.command(texts));
  return (
    <div className="space-y-1">
      <p className="text-xs text-muted">{words.common.sameByCommand}</p>
      <ActionCommandLine args={args} isShared={action.isShared === true} />
      {file !== undefined && <FileText name={file.name} text={file.text} />}
    </div>
  );
}

/** The fields of an action and the button that acts, for a dialog that is open. */
export function FormDialog({ action, onDone, onClose }: Props & { readonly onClose: () => void }) {
  // One key for all tries of this dialog: an action that was sent twice happens once.
  const [key] = useState(newKey);
  const fields = action.fields ?? [];
  const [texts, setTexts] = useState(() => initialTexts(fields));
  const [problems, setProblems] = useState<FormTexts>({});
  const acting = useMutation({
    mutationFn: (values: FormValues) => action.act(values, key),
    onSuccess: (shown) => {
      onDone();
      if (shown === undefined || shown === null) {
        onClose();
      }
    },
    onError: (error) => setProblems(rejections(fields, rejectionOf(error))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const reading = readForm(fields, texts);
    setProblems(reading.kind === "problems" ? reading.problems : {});
    if (reading.kind === "values") {
      acting.mutate(reading.values);
    }
  };
  if (acting.data !== undefined && acting.data !== null) {
    return (
      <div className="space-y-4 text-sm">
        {acting.data}
        <div className="flex justify-end">
          <Button onClick={onClose}>{words.common.close}</Button>
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {action.help !== undefined && <div className="text-sm text-muted">{action.help}</div>}
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
      <ActionCommand action={action} texts={texts} />
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex justify-end gap-2 rounded-b-xl border-t border-line bg-surface px-4 py-3">
        <Button onClick={onClose}>{words.common.close}</Button>
        <Button type="submit" kind={action.kind === "danger" ? "danger" : "primary"} disabled={acting.isPending}>
          {action.label}
        </Button>
      </div>
    </form>
  );
}
