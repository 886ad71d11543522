import type { ComponentType } from "react";
import type { WorkspaceClient } from "#/api/client.ts";
import type { RoleBinding, Run, Step } from "#/api/types.ts";
import { words } from "#/words/words.ts";

/** A value that an action asks for before it acts. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** A JSON value, a JSON object, or a text. */
  readonly kind: "json" | "object" | "text";
  readonly isRequired?: boolean;
  /** What the value means, if the label does not say it all. */
  readonly help?: string;
  readonly initial?: string;
}

/** What an action acts on. */
export interface Subject {
  readonly workspace: string;
  readonly api: WorkspaceClient;
  readonly run: Run;
  /** The step that is selected on the page of the run. */
  readonly step: Step | undefined;
  /** All steps of the run that are known, by their keys. */
  readonly steps: ReadonlyMap<string, Step>;
  /** Hash of the version of the flow that is deployed now, if an action has asked for it. */
  readonly deployed?: string | undefined;
}

/** Values of the fields: JSON has been read; absent if the field was left empty. */
export type Values = Readonly<Record<string, unknown>>;

/** Something that people can do to a run. Each action is a file beside this one. */
export type Action = FieldAction | OwnFormAction;

interface AnyAction {
  readonly id: string;
  readonly label: string;
  readonly help?: (subject: Subject) => string;
  readonly role: RoleBinding["role"];
  readonly isDangerous?: boolean;
  /** Whether the fields begin with the run's input, which the dialog then reads first. */
  readonly needsInput?: boolean;
  /** Whether the dialog first reads the input of the step, and which version of the flow is deployed. */
  readonly needsStep?: boolean;
  /** Whether the action makes sense now; the server decides for good. */
  readonly isOffered: (subject: Subject) => boolean;
}

/** An action whose dialog asks for a few values. */
export interface FieldAction extends AnyAction {
  readonly Form?: never;
  readonly fields: (subject: Subject) => readonly Field[];
  /** Acts, and returns the id of the run that is to be shown if it is another one. */
  readonly act: (subject: Subject, values: Values, key: string) => Promise<string | undefined>;
  /** Arguments of the `millrace` command that does the same. */
  readonly command: (subject: Subject, texts: Readonly<Record<string, string>>) => readonly string[];
}

/** An action with a form of its own. */
export interface OwnFormAction extends AnyAction {
  readonly Form: ComponentType<FormProps>;
}

export interface FormProps {
  readonly subject: Subject;
  /** Makes it harmless to send the same call twice. */
  readonly callKey: string;
  /** Called after the action, with the id of the run that is to be shown. */
  readonly onSent: (id: string) => void;
  readonly onClose: () => void;
}

/** The field for why something is done. */
export const REASON: Field = { name: "reason", label: words.actions.reason, kind: "text" };

/** The option of a command for a field, if it has a value. */
export function option(name: string, text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : [name, text];
}

/** Where a call about a run goes; the key makes it harmless to send it twice. */
export function place(subject: Subject, key: string) {
  return { path: { id: subject.run.id }, header: { "Idempotency-Key": key } };
}

/** The reason of an operation, as its body. */
export function note(values: Values): { reason?: string } {
  return typeof values.reason === "string" ? { reason: values.reason } : {};
}
