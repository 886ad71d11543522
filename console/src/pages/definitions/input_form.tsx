import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import type { Schema } from "#/pages/definitions/form/schema.ts";
import type { Input } from "#/pages/definitions/input_draft.ts";
import { FormOrJson, InputFields, placedAt } from "#/pages/definitions/input_fields.tsx";
import { useInputDraft } from "#/pages/definitions/use_input_draft.ts";
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
  const edited = useInputDraft(schema, initial);
  const sending = useMutation({ mutationFn: send });
  const placed = placedAt(sending.error, "input", edited);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = edited.read();
    if (input !== undefined) {
      sending.mutate(input);
    }
  };
  return (
    <form onSubmit={submit} noValidate onKeyDown={submitByKey} className={className ?? "space-y-4"}>
      <div className="flex flex-wrap items-center gap-2">
        {header?.(edited.fill, edited.input)}
        <FormOrJson edited={edited} />
      </div>
      {schema === undefined && <p className="text-sm text-muted">{words.start.noSchema}</p>}
      <InputFields edited={edited} label={words.actions.input} placed={placed} />
      {children}
      {sending.error !== null && <ProblemView error={sending.error} atFields={placed.named} />}
      {command?.(edited.input)}
      {footer(sending.isPending)}
    </form>
  );
}
