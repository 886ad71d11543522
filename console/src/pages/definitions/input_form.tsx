import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { FieldProblems, problemsAt } from "#/pages/definitions/form/field_problems.ts";
import { fieldKind, type Schema } from "#/pages/definitions/form/schema.ts";
import { ObjectFields } from "#/pages/definitions/form/schema_field.tsx";
import { draftOf, hasForm, type Input, readDraft, toggled } from "#/pages/definitions/input_draft.ts";
import { Button } from "#/parts/button.tsx";
import { submitByKey } from "#/parts/modal.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

interface Props {
  /** The schema of the input, if it is known. */
  readonly schema: Schema | undefined;
  readonly initial: Input;
  readonly send: (input: Input) => Promise<unknown>;
  /** What stands above the fields, with a way to fill them. */
  readonly header?: (fill: (input: Input) => void, input: Input) => ReactNode;
  /** Further fields. */
  readonly children?: ReactNode;
  /** Shows the command that does the same. */
  readonly command?: (input: Input) => ReactNode;
  /** The button that sends, and what stands beside it. */
  readonly footer: (isPending: boolean) => ReactNode;
  readonly className?: string;
}

/** Asks for the input of a flow or script, in a form that is made from its schema; JSON works in any case. */
export function InputForm({ schema, initial, send, header, children, command, footer, className }: Props) {
  const [draft, setDraft] = useState(() => draftOf(schema, initial));
  const [problem, setProblem] = useState("");
  const [filled, setFilled] = useState(0);
  const sending = useMutation({ mutationFn: send });
  const fields = schema === undefined ? undefined : fieldKind(schema);
  const isForm = draft.text === undefined && fields?.kind === "object";
  const read = readDraft(draft);
  const input = typeof read === "string" ? draft.input : read;
  const placed = problemsAt(
    sending.error,
    "input",
    isForm && schema !== undefined ? { schema, value: draft.input } : undefined,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(typeof read === "string" ? read : "");
    if (typeof read !== "string") {
      sending.mutate(read);
    }
  };
  const toggle = () => {
    const next = toggled(draft);
    setProblem(typeof next === "string" ? next : "");
    if (typeof next !== "string") {
      setDraft(next);
    }
  };
  const fill = (other: Input) => {
    setDraft(
      draft.text === undefined ? draftOf(schema, other) : { input: other, text: JSON.stringify(other, null, 2) },
    );
    setFilled((before) => before + 1);
  };
  return (
    <form onSubmit={submit} noValidate onKeyDown={submitByKey} className={className ?? "space-y-4"}>
      <div className="flex flex-wrap items-center gap-2">
        {header?.(fill, input)}
        {hasForm(schema) && <Button onClick={toggle}>{isForm ? words.start.asJson : words.start.asForm}</Button>}
      </div>
      {schema === undefined && <p className="text-sm text-muted">{words.start.noSchema}</p>}
      {!isForm ? (
        <textarea
          aria-label={words.actions.input}
          rows={Math.min(20, Math.max(4, (draft.text ?? "").split("\n").length))}
          spellCheck={false}
          className="w-full rounded-md border border-line bg-ground p-2.5 font-mono text-xs"
          value={draft.text}
          onChange={(event) => setDraft((before) => ({ ...before, text: event.target.value }))}
        />
      ) : fields.properties.length === 0 && fields.others === undefined ? (
        <p className="text-sm text-muted">{words.start.noInputs}</p>
      ) : (
        <FieldProblems value={placed.fields}>
          <ObjectFields
            key={filled}
            name=""
            path=""
            schema={schema ?? {}}
            root={schema ?? {}}
            isRequired
            properties={fields.properties}
            required={fields.required}
            others={fields.others}
            value={draft.input}
            onChange={(value) => setDraft({ input: value as Input, text: undefined })}
          />
        </FieldProblems>
      )}
      {children}
      {problem !== "" && (
        <p role="alert" className="text-sm text-failed">
          {problem}
        </p>
      )}
      {sending.error !== null && <ProblemView error={sending.error} atFields={placed.named} />}
      {command?.(input)}
      {footer(sending.isPending)}
    </form>
  );
}
