import { useState } from "react";
import { InlineProse, Prose } from "#/pages/docs/prose.tsx";
import { type ApiReference, type ApiSchema, nameOf, resolved } from "#/pages/docs/reference.ts";
import { innerSchema, limitsText, typeText } from "#/pages/docs/schema_text.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly schema: ApiSchema;
  readonly schemas: ApiReference["schemas"];
}

/** The fields of a schema. Those of a schema inside it are drawn once somebody opens it, since schemas contain each other. */
export function SchemaView({ schema, schemas }: Props) {
  const own = resolved(schema, schemas);
  const parts = (own.allOf ?? []).map((part) => resolved(part, schemas));
  const fields = Object.entries<ApiSchema>(Object.assign({}, ...parts.map((part) => part.properties), own.properties));
  const required = new Set([...parts.flatMap((part) => part.required ?? []), ...(own.required ?? [])]);
  const choices = own.oneOf ?? own.anyOf ?? [];
  return (
    <div className="min-w-0 space-y-2 text-sm">
      {own.description !== undefined && <Prose text={own.description} />}
      {own.enum !== undefined && <Values values={own.enum} />}
      {fields.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {fields.map(([name, field]) => (
            <Field key={name} name={name} schema={field} schemas={schemas} isRequired={required.has(name)} />
          ))}
        </ul>
      )}
      {choices.map((choice) => (
        <Inner key={typeText(choice)} schema={choice} schemas={schemas} />
      ))}
      {fields.length === 0 && choices.length === 0 && <Type schema={own} />}
      {fields.length === 0 && own.items !== undefined && <Inner schema={own.items} schemas={schemas} />}
    </div>
  );
}

function Field({ name, schema, schemas, isRequired }: Props & { name: string; isRequired: boolean }) {
  const inner = innerSchema(schema);
  return (
    <li className="space-y-1 px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono font-semibold break-all">{name}</code>
        <Type schema={schema} />
        {isRequired && <span className="text-xs text-waiting">{words.docs.required}</span>}
      </p>
      {schema.description !== undefined && (
        <p className="break-words text-muted">
          <InlineProse text={schema.description} />
        </p>
      )}
      {schema.enum !== undefined && <Values values={schema.enum} />}
      {inner !== undefined && <Inner schema={inner} schemas={schemas} />}
    </li>
  );
}

/** The type of a field or parameter with its limits. */
export function Type({ schema }: { schema: ApiSchema }) {
  const limits = limitsText(schema);
  return (
    <span className="text-xs break-words text-muted">
      {typeText(schema)}
      {limits !== "" && ` · ${limits}`}
    </span>
  );
}

/** The values that a field or parameter can have. */
export function Values({ values }: { values: readonly unknown[] }) {
  return (
    <p className="flex flex-wrap gap-1">
      {values.map((value) => (
        <code key={String(value)} className="rounded bg-raised px-1 font-mono text-xs break-all">
          {String(value)}
        </code>
      ))}
    </p>
  );
}

function Inner({ schema, schemas }: Props) {
  const [isOpen, setOpen] = useState(false);
  const own = resolved(schema, schemas);
  const hasFields = own.properties !== undefined || own.allOf !== undefined || (own.oneOf ?? own.anyOf) !== undefined;
  if (!hasFields) {
    return schema.$ref === undefined ? (
      <Type schema={own} />
    ) : (
      <>
        <p className="text-xs text-muted">
          {nameOf(schema.$ref)}: {typeText(own)}
          {own.description !== undefined && (
            <>
              {". "}
              <InlineProse text={own.description} />
            </>
          )}
        </p>
        {own.enum !== undefined && <Values values={own.enum} />}
      </>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-xs text-accent">{words.docs.fieldsOf(typeText(schema))}</summary>
      {isOpen && (
        <div className="mt-1.5">
          <SchemaView schema={schema} schemas={schemas} />
        </div>
      )}
    </details>
  );
}
