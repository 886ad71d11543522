import { FieldProblems, type PlacedProblems, problemsAt } from "#/pages/definitions/form/field_problems.ts";
import { fieldKind } from "#/pages/definitions/form/schema.ts";
import { ObjectFields } from "#/pages/definitions/form/schema_field.tsx";
import { hasForm, type Input } from "#/pages/definitions/input_draft.ts";
import type { EditedInput } from "#/pages/definitions/use_input_draft.ts";
import { Button } from "#/parts/button.tsx";
import { words } from "#/words/words.ts";

/**
 * The problems of a call at the fields that {@link InputFields} shows.
 *
 * @param name of the input in the call
 */
export function placedAt(error: unknown, name: string, { schema, draft }: EditedInput): PlacedProblems {
  const isForm = draft.text === undefined && schema !== undefined && hasForm(schema);
  return problemsAt(error, name, isForm ? { schema, value: draft.input } : undefined);
}

/** Leads from the form to the JSON of an input and back; absent if there is no form. */
export function FormOrJson({ edited }: { edited: EditedInput }) {
  return hasForm(edited.schema) ? (
    <Button onClick={edited.toggle}>{edited.draft.text === undefined ? words.start.asJson : words.start.asForm}</Button>
  ) : null;
}

interface Props {
  readonly edited: EditedInput;
  /** Name of the input for screen readers, if it is edited as JSON. */
  readonly label: string;
  readonly placed: PlacedProblems;
}

/** The fields of an input, from its schema; without one, or if somebody prefers it, its JSON. */
export function InputFields({ edited, label, placed }: Props) {
  const { schema, draft, change, problem, fillings } = edited;
  const fields = schema === undefined ? undefined : fieldKind(schema);
  return (
    <>
      {draft.text !== undefined || fields?.kind !== "object" ? (
        <textarea
          aria-label={label}
          rows={Math.min(20, Math.max(4, (draft.text ?? "").split("\n").length))}
          spellCheck={false}
          className="w-full rounded-md border border-line bg-ground p-2.5 font-mono text-xs"
          value={draft.text}
          onChange={(event) => change({ ...draft, text: event.target.value })}
        />
      ) : fields.properties.length === 0 && fields.others === undefined ? (
        <p className="text-sm text-muted">{words.start.noInputs}</p>
      ) : (
        <FieldProblems value={placed.fields}>
          <ObjectFields
            key={fillings}
            name=""
            path=""
            schema={schema ?? {}}
            root={schema ?? {}}
            isRequired
            properties={fields.properties}
            required={fields.required}
            others={fields.others}
            value={draft.input}
            onChange={(value) => change({ input: value as Input, text: undefined })}
          />
        </FieldProblems>
      )}
      {problem !== "" && (
        <p role="alert" className="text-sm text-failed">
          {problem}
        </p>
      )}
    </>
  );
}
