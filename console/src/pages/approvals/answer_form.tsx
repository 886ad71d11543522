import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { Answer, Verdict } from "#/actions/answer_wait.ts";
import { present } from "#/forms/field.ts";
import { FieldProblems, problemsAt } from "#/pages/definitions/form/field_problems.ts";
import { fieldKind, initialValue, resolve, type Schema } from "#/pages/definitions/form/schema.ts";
import { ObjectFields, SchemaField } from "#/pages/definitions/form/schema_field.tsx";
import { Button } from "#/parts/button.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

interface Props {
  readonly verdict: Verdict;
  /** Schema of the payload, which a denial need not fit. */
  readonly form: Schema | undefined;
  /** Whether the server knows the name of the person, and if not, whether it needs one. */
  readonly name: "known" | "asked" | "needed";
  readonly send: (answer: Answer) => Promise<unknown>;
  /** Shows how the same is answered in another way, if it can be. */
  readonly command?: (answer: Answer) => ReactNode;
  readonly onDone: () => void;
  /** Leaves the form without an answer, if it is in a dialog. */
  readonly onClose?: () => void;
}

const INPUT = "w-full rounded-md border border-line bg-ground px-2.5 py-2 text-sm";

/** The form with which a person answers a step: made from the schema of the step, or else for a comment. */
export function AnswerForm({ verdict, form, name: naming, send, command, onDone, onClose }: Props) {
  const schema = form === undefined || verdict === "deny" ? undefined : resolve(form, form);
  const [value, setValue] = useState<unknown>(() => (schema === undefined ? undefined : initialValue(schema, schema)));
  const [comment, setComment] = useState("");
  const [name, setName] = useState("");
  const id = useId();
  const sending = useMutation({ mutationFn: send, onSuccess: onDone });
  const answer: Answer = {
    ...present("payload", schema === undefined ? comment.trim() || undefined : value),
    ...present("actor", name.trim() || undefined),
  };
  const placed = problemsAt(sending.error, "payload", schema === undefined ? undefined : { schema, value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate(answer);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {schema === undefined ? (
        <div className="space-y-1">
          <label htmlFor={`${id}-comment`} className="text-sm font-medium">
            {words.approvals.comment}
          </label>
          <textarea
            id={`${id}-comment`}
            rows={3}
            className={INPUT}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        </div>
      ) : (
        <FieldProblems value={placed.fields}>
          <Fields schema={schema} value={value} onChange={setValue} />
        </FieldProblems>
      )}
      {naming !== "known" && (
        <div className="space-y-1">
          <label htmlFor={`${id}-name`} className="text-sm font-medium">
            {naming === "needed" ? words.approvals.yourName : words.approvals.yourNameIfAny}
          </label>
          <input
            id={`${id}-name`}
            maxLength={200}
            required={naming === "needed"}
            autoComplete="name"
            className={INPUT}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
      )}
      {sending.error !== null && <ProblemView error={sending.error} atFields={placed.named} />}
      {command?.(answer)}
      <div className="flex justify-end gap-2">
        {onClose !== undefined && <Button onClick={onClose}>{words.common.close}</Button>}
        <Button
          type="submit"
          kind={verdict === "deny" ? "danger" : "primary"}
          className={onClose === undefined ? "min-h-11 min-w-28 text-base" : ""}
          disabled={sending.isPending}
        >
          {words.actions[verdict]}
        </Button>
      </div>
    </form>
  );
}

function Fields(props: { schema: Schema; value: unknown; onChange: (value: unknown) => void }) {
  const { schema } = props;
  const shown = fieldKind(schema);
  const shared = { ...props, name: schema.title ?? words.approvals.answer, path: "", root: schema, isRequired: true };
  return shown.kind === "object" ? (
    <ObjectFields
      {...shared}
      value={props.value ?? {}}
      properties={shown.properties}
      required={shown.required}
      others={shown.others}
    />
  ) : (
    <SchemaField {...shared} />
  );
}
