import { type ReactNode, useId, useState } from "react";
import { fieldKind, initialValue, resolve, type Schema } from "#/pages/definitions/form/schema.ts";
import { Button } from "#/parts/button.tsx";
import { words } from "#/words/words.ts";

interface Props {
  readonly name: string;
  readonly schema: Schema;
  readonly root: Schema;
  /** Undefined for a field that is left out of the input. */
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

const INPUT = "min-h-9 w-full rounded-md border border-line bg-ground px-2.5 py-1 text-sm";

/** A field of a form for one value of a JSON Schema. */
export function SchemaField(props: Props) {
  const { name, root, value, isRequired, onChange } = props;
  const schema = resolve(props.schema, root);
  const id = useId();
  const shown = fieldKind(schema);
  const label = (
    <span>
      <span className="text-sm font-medium">{schema.title ?? name}</span>
      {isRequired && <span className="ml-1.5 text-xs text-muted">{words.start.required}</span>}
      {schema.description !== undefined && <span className="block text-xs text-muted">{schema.description}</span>}
    </span>
  );
  switch (shown.kind) {
    case "choice":
      return (
        <Labeled id={id} label={label}>
          <select
            id={id}
            className={INPUT}
            value={shown.values.findIndex((choice) => same(choice, value))}
            onChange={(event) => onChange(shown.values[Number(event.target.value)])}
          >
            <option value={-1}>{words.start.notSet}</option>
            {shown.values.map((choice, index) => (
              <option key={JSON.stringify(choice)} value={index}>
                {typeof choice === "string" ? choice : JSON.stringify(choice)}
              </option>
            ))}
          </select>
        </Labeled>
      );
    case "boolean":
      return (
        <Labeled id={id} label={label}>
          <select
            id={id}
            className={INPUT}
            value={String(value)}
            onChange={(event) =>
              onChange(event.target.value === "undefined" ? undefined : event.target.value === "true")
            }
          >
            <option value="undefined">{words.start.notSet}</option>
            <option value="true">true</option>
            <option value="false">false</option>
          </select>
        </Labeled>
      );
    case "number":
      return (
        <Labeled id={id} label={label}>
          <input
            id={id}
            className={INPUT}
            type="number"
            step={shown.isInteger ? 1 : "any"}
            value={typeof value === "number" ? value : ""}
            onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.valueAsNumber)}
          />
        </Labeled>
      );
    case "text":
      return (
        <Labeled id={id} label={label}>
          {shown.input === "text" ? (
            <textarea
              id={id}
              rows={typeof value === "string" && value.includes("\n") ? 5 : 1}
              className={INPUT}
              value={typeof value === "string" ? value : ""}
              onChange={(event) => onChange(event.target.value === "" && !isRequired ? undefined : event.target.value)}
            />
          ) : (
            <input
              id={id}
              className={INPUT}
              type={shown.input}
              value={typeof value === "string" ? value : ""}
              onChange={(event) => onChange(event.target.value || undefined)}
            />
          )}
        </Labeled>
      );
    case "list":
      return <ListField {...props} label={label} items={shown.items} />;
    case "object":
      return (
        <fieldset className="space-y-3 rounded-md border border-line p-3">
          <legend className="px-1">{label}</legend>
          <ObjectFields {...props} properties={shown.properties} required={shown.required} />
        </fieldset>
      );
    case "alternatives":
      return <Alternatives {...props} label={label} schemas={shown.schemas} />;
    case "json":
      return <JsonField {...props} label={label} />;
  }
}

interface ObjectProps extends Props {
  readonly properties: readonly (readonly [string, Schema])[];
  readonly required: readonly string[];
}

/** The fields of an object, one below the other. */
export function ObjectFields({ properties, required, root, value, onChange }: ObjectProps) {
  const entries = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return (
    <>
      {properties.map(([name, schema]) => (
        <SchemaField
          key={name}
          name={name}
          schema={schema}
          root={root}
          value={entries[name]}
          isRequired={required.includes(name)}
          onChange={(changed) => {
            const { [name]: _, ...others } = entries;
            onChange(changed === undefined ? others : { ...entries, [name]: changed });
          }}
        />
      ))}
    </>
  );
}

type WithLabel<T> = Props & { readonly label: ReactNode } & T;

function ListField({ name, label, items, root, value, onChange }: WithLabel<{ readonly items: Schema }>) {
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="px-1">{label}</legend>
      {list.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list have no names
        <div key={index} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <SchemaField
              name={`${name}[${index}]`}
              schema={items}
              root={root}
              value={entry}
              isRequired
              onChange={(changed) => onChange(list.map((other, at) => (at === index ? changed : other)))}
            />
          </div>
          <Button onClick={() => onChange(list.filter((_, at) => at !== index))}>{words.start.remove}</Button>
        </div>
      ))}
      <Button onClick={() => onChange([...list, initialValue(items, root) ?? blank(items, root)])}>
        {words.start.add}
      </Button>
    </fieldset>
  );
}

function Alternatives({
  name,
  label,
  schemas,
  root,
  value,
  isRequired,
  onChange,
}: WithLabel<{ readonly schemas: readonly Schema[] }>) {
  const [chosen, setChosen] = useState(0);
  const schema = schemas[chosen];
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="px-1">{label}</legend>
      <select
        aria-label={words.start.alternative}
        className={INPUT}
        value={chosen}
        onChange={(event) => {
          setChosen(Number(event.target.value));
          onChange(undefined);
        }}
      >
        {schemas.map((alternative, index) => {
          const resolved = resolve(alternative, root);
          const title = resolved.title ?? (Array.isArray(resolved.type) ? resolved.type.join(", ") : resolved.type);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no names
            <option key={index} value={index}>
              {String(title ?? index + 1)}
            </option>
          );
        })}
      </select>
      {schema !== undefined && (
        <SchemaField
          key={chosen}
          name={name}
          schema={schema}
          root={root}
          value={value}
          isRequired={isRequired}
          onChange={onChange}
        />
      )}
    </fieldset>
  );
}

function JsonField({ label, value, onChange }: WithLabel<unknown>) {
  const id = useId();
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState("");
  const change = (changed: string) => {
    setText(changed);
    try {
      onChange(changed.trim() === "" ? undefined : (JSON.parse(changed) as unknown));
      setProblem("");
    } catch (error) {
      setProblem(words.actions.wrongJson(error instanceof Error ? error.message : String(error)));
    }
  };
  return (
    <Labeled id={id} label={label}>
      <textarea
        id={id}
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        spellCheck={false}
        placeholder="JSON"
        aria-invalid={problem !== ""}
        className={`${INPUT} font-mono text-xs aria-invalid:border-failed`}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      {problem !== "" && <p className="text-xs text-failed">{problem}</p>}
    </Labeled>
  );
}

function Labeled({ id, label, children }: { id: string; label: ReactNode; children: ReactNode }) {
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block">
        {label}
      </label>
      {children}
    </div>
  );
}

function blank(schema: Schema, root: Schema): unknown {
  switch (fieldKind(resolve(schema, root)).kind) {
    case "text":
      return "";
    case "object":
      return {};
    case "list":
      return [];
    case "boolean":
      return false;
    default:
      return null;
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
