import { type ReactNode, useContext, useId, useState } from "react";
import { FieldProblems, pathIn } from "#/pages/definitions/form/field_problems.ts";
import { isLocalTime, localTime, utcTime } from "#/pages/definitions/form/local_time.ts";
import {
  alternativeName,
  alternativeOf,
  fieldKind,
  initialValue,
  resolve,
  type Schema,
  takesNull,
} from "#/pages/definitions/form/schema.ts";
import { Button } from "#/parts/button.tsx";
import { jsonText } from "#/parts/json_text.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly name: string;
  /** Where the value is in that of the form, such as `items[0].count`. */
  readonly path: string;
  readonly schema: Schema;
  readonly root: Schema;
  /** Undefined for a field that is left out of the input. */
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

const INPUT = "min-h-9 w-full rounded-md border border-line bg-ground px-2.5 py-1 text-sm aria-invalid:border-failed";

/** A field of a form for one value of a JSON Schema. */
export function SchemaField(props: Props) {
  const { name, root, value, isRequired, onChange } = props;
  const schema = resolve(props.schema, root);
  const id = useId();
  const shown = fieldKind(schema);
  const problem = useContext(FieldProblems)[props.path];
  const shared = {
    id,
    className: INPUT,
    "aria-invalid": problem !== undefined,
    "aria-describedby": problem === undefined ? undefined : `${id}-problem`,
  };
  const isNullable = takesNull(schema);
  // Whoever leaves a field empty that must not be absent means null, if the field takes it.
  const empty = isRequired && isNullable ? null : undefined;
  const label = (
    <span>
      <span className="text-sm font-medium">{schema.title ?? name}</span>{" "}
      {isRequired && <span className="ml-1 text-xs text-muted">{words.start.required}</span>}
      {schema.description !== undefined && <span className="block text-xs text-muted">{schema.description}</span>}
    </span>
  );
  switch (shown.kind) {
    case "choice":
      return (
        <Labeled id={id} label={label} problem={problem}>
          <select
            {...shared}
            value={shown.values.findIndex((choice) => same(choice, value))}
            onChange={(event) =>
              onChange(event.target.value === "-1" ? empty : shown.values[Number(event.target.value)])
            }
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
        <Labeled id={id} label={label} problem={problem}>
          <select
            {...shared}
            value={typeof value === "boolean" ? String(value) : ""}
            onChange={(event) => onChange(event.target.value === "" ? empty : event.target.value === "true")}
          >
            <option value="">{words.start.notSet}</option>
            <option value="true">true</option>
            <option value="false">false</option>
          </select>
        </Labeled>
      );
    case "number":
      return (
        <Labeled id={id} label={label} problem={problem}>
          <input
            {...shared}
            type="number"
            step={shown.isInteger ? 1 : "any"}
            value={typeof value === "number" ? value : ""}
            onChange={(event) => onChange(event.target.value === "" ? empty : event.target.valueAsNumber)}
          />
        </Labeled>
      );
    case "text":
      return (
        <Labeled id={id} label={label} problem={problem}>
          {shown.input === "datetime-local" && isLocalTime(value) ? (
            <MomentInput shared={shared} value={value} onChange={(time) => onChange(time ?? empty)} />
          ) : shown.input === "lines" || shown.input === "text" || shown.input === "datetime-local" ? (
            <TextInput
              shared={shared}
              hasLines={shown.input === "lines"}
              placeholder={schema.format === "date-time" ? "2026-01-31T08:00:00Z" : undefined}
              value={textOf(value)}
              onChange={(text) => onChange(text === "" && (!isRequired || isNullable) ? empty : text)}
            />
          ) : (
            <input
              {...shared}
              type={shown.input}
              step={shown.input === "time" ? 1 : undefined}
              value={typeof value === "string" ? value : ""}
              onChange={(event) => onChange(event.target.value || empty)}
            />
          )}
        </Labeled>
      );
    case "bytes":
      return (
        <Labeled id={id} label={label} problem={problem}>
          <BytesInput shared={shared} value={value} onChange={(text) => onChange(text === "" ? empty : text)} />
        </Labeled>
      );
    case "list":
      return <ListField {...props} label={label} items={shown.items} problem={problem} />;
    case "tuple":
      return <TupleField {...props} label={label} items={shown.items} problem={problem} />;
    case "map":
      return <MapField {...props} label={label} values={shown.values} problem={problem} />;
    case "object":
      return (
        <fieldset className="space-y-3 rounded-md border border-line p-3">
          <legend className="px-1">{label}</legend>
          <Problem text={problem} />
          <ObjectFields
            {...props}
            properties={shown.properties}
            required={shown.required}
            others={shown.others}
            schema={schema}
          />
        </fieldset>
      );
    case "alternatives":
      return <Alternatives {...props} label={label} schemas={shown.schemas} problem={problem} />;
    case "json":
      return <JsonField {...props} label={label} problem={problem} />;
  }
}

interface ObjectProps extends Props {
  readonly properties: readonly (readonly [string, Schema])[];
  readonly required: readonly string[];
  /** Schema of further members, if the object takes any. */
  readonly others?: Schema | undefined;
}

/** The fields of an object, one below the other. */
export function ObjectFields({
  path,
  schema: whole,
  properties,
  required,
  others,
  root,
  value,
  onChange,
}: ObjectProps) {
  // What has a single value or a default is a part of the object as soon as somebody fills in any other member.
  const entries = membersOf(value === undefined ? initialValue(whole, root) : value);
  const known = properties.map(([name]) => name);
  const further = Object.fromEntries(Object.entries(entries).filter(([name]) => !known.includes(name)));
  return (
    <>
      {properties.map(([name, schema]) => (
        <SchemaField
          key={name}
          name={name}
          path={pathIn(path, name)}
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
      {others !== undefined && (
        <MapEntries
          path={path}
          values={others}
          root={root}
          entries={further}
          onChange={(changed) =>
            onChange({
              ...Object.fromEntries(Object.entries(entries).filter(([name]) => known.includes(name))),
              ...changed,
            })
          }
        />
      )}
    </>
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

type WithLabel<T> = Props & { readonly label: ReactNode; readonly problem: string | undefined } & T;

function ListField({
  name,
  path,
  label,
  problem,
  items,
  root,
  value,
  onChange,
}: WithLabel<{ readonly items: Schema }>) {
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="px-1">{label}</legend>
      <Problem text={problem} />
      {list.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list have no names
        <div key={index} className="flex items-end gap-2 max-sm:flex-col">
          <div className="min-w-0 flex-1 max-sm:w-full">
            <SchemaField
              name={`${name}[${index}]`}
              path={pathIn(path, index)}
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

/** A list whose entries have schemas of their own. */
function TupleField({
  path,
  label,
  problem,
  items,
  root,
  value,
  onChange,
}: WithLabel<{ readonly items: readonly Schema[] }>) {
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="px-1">{label}</legend>
      <Problem text={problem} />
      {items.map((schema, index) => (
        <SchemaField
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list have no names
          key={index}
          name={`${index + 1}.`}
          path={pathIn(path, index)}
          schema={schema}
          root={root}
          value={list[index]}
          isRequired
          onChange={(changed) => onChange(items.map((_, at) => (at === index ? changed : (list[at] ?? null))))}
        />
      ))}
    </fieldset>
  );
}

function MapField({ path, label, problem, values, root, value, onChange }: WithLabel<{ readonly values: Schema }>) {
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="px-1">{label}</legend>
      <Problem text={problem} />
      <MapEntries path={path} values={values} root={root} entries={membersOf(value)} onChange={onChange} />
    </fieldset>
  );
}

interface EntriesProps {
  readonly path: string;
  readonly values: Schema;
  readonly root: Schema;
  readonly entries: Readonly<Record<string, unknown>>;
  readonly onChange: (entries: Readonly<Record<string, unknown>>) => void;
}

/** Members of an object whose names a person chooses. */
function MapEntries({ path, values, root, entries, onChange }: EntriesProps) {
  const [name, setName] = useState("");
  const id = useId();
  const isTaken = name in entries;
  return (
    <div className="space-y-3">
      {Object.entries(entries).map(([key, entry]) => (
        <div key={key} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <SchemaField
              name={key}
              path={pathIn(path, key)}
              schema={values}
              root={root}
              value={entry}
              isRequired
              onChange={(changed) => onChange({ ...entries, [key]: changed ?? null })}
            />
          </div>
          <Button
            onClick={() => onChange(Object.fromEntries(Object.entries(entries).filter(([other]) => other !== key)))}
          >
            {words.start.remove}
          </Button>
        </div>
      ))}
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1 space-y-1">
          <label htmlFor={id} className="block text-xs text-muted">
            {words.start.key}
          </label>
          <input id={id} className={INPUT} value={name} onChange={(event) => setName(event.target.value)} />
        </div>
        <Button
          disabled={name === "" || isTaken}
          onClick={() => {
            onChange({ ...entries, [name]: initialValue(values, root) ?? blank(values, root) });
            setName("");
          }}
        >
          {words.start.add}
        </Button>
      </div>
    </div>
  );
}

interface TextProps {
  readonly shared: { readonly id: string; readonly className: string };
  readonly hasLines: boolean;
  readonly placeholder: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A text: of one line, unless it has more already or somebody pastes more, which a line would lose. */
function TextInput({ shared, hasLines, placeholder, value, onChange }: TextProps) {
  const [hasPasted, setPasted] = useState(false);
  return hasLines || hasPasted || value.includes("\n") ? (
    <textarea
      {...shared}
      className={`${shared.className} field-sizing-content max-h-60`}
      rows={3}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  ) : (
    <input
      {...shared}
      type="text"
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text");
        if (/\n./.test(pasted)) {
          event.preventDefault();
          const { selectionStart, selectionEnd } = event.currentTarget;
          setPasted(true);
          onChange(value.slice(0, selectionStart ?? value.length) + pasted + value.slice(selectionEnd ?? value.length));
        }
      }}
    />
  );
}

interface MomentProps {
  readonly shared: { readonly id: string; readonly className: string };
  readonly value: unknown;
  readonly onChange: (time: string | undefined) => void;
}

/** A point in time: a person chooses it in the own zone, and the input holds it in UTC, which is shown below. */
function MomentInput({ shared, value, onChange }: MomentProps) {
  return (
    <>
      <input
        {...shared}
        type="datetime-local"
        step={1}
        value={localTime(value)}
        onChange={(event) => onChange(utcTime(event.target.value))}
      />
      {typeof value === "string" && value !== "" && <code className="font-mono text-xs text-muted">{value}</code>}
    </>
  );
}

/** Largest file that a field for bytes reads; larger values travel as blobs. */
const FILE_BYTES_MAX = 256 * 1_024;

interface BytesProps {
  readonly shared: { readonly id: string; readonly className: string };
  readonly value: unknown;
  readonly onChange: (base64: string) => void;
}

function BytesInput({ shared, value, onChange }: BytesProps) {
  const [problem, setProblem] = useState("");
  const read = async (file: File | undefined) => {
    if (file === undefined) {
      onChange("");
    } else if (file.size > FILE_BYTES_MAX) {
      setProblem(words.start.tooLarge(FILE_BYTES_MAX / 1_024));
    } else {
      setProblem("");
      const bytes = new Uint8Array(await file.arrayBuffer());
      onChange(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
    }
  };
  return (
    <>
      <input
        {...shared}
        className={`${shared.className} py-1.5`}
        type="file"
        onChange={(event) => void read(event.target.files?.[0])}
      />
      {typeof value === "string" && value !== "" && (
        <p className="text-xs text-muted">{words.start.bytes(Math.floor((value.replace(/=+$/, "").length * 3) / 4))}</p>
      )}
      <Problem text={problem || undefined} />
    </>
  );
}

function Alternatives({
  name,
  path,
  problem,
  label,
  schemas,
  root,
  value,
  isRequired,
  onChange,
}: WithLabel<{ readonly schemas: readonly Schema[] }>) {
  const [chosen, setChosen] = useState(() => alternativeOf(schemas, value, root));
  const schema = schemas[chosen];
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="px-1">{label}</legend>
      <Problem text={problem} />
      <select
        aria-label={words.start.alternative}
        className={INPUT}
        value={chosen}
        onChange={(event) => {
          const next = Number(event.target.value);
          setChosen(next);
          onChange(initialValue(schemas[next] ?? {}, root));
        }}
      >
        {schemas.map((alternative, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no names
          <option key={index} value={index}>
            {alternativeName(alternative, root) ?? String(index + 1)}
          </option>
        ))}
      </select>
      {schema !== undefined && (
        <SchemaField
          key={chosen}
          name={alternativeName(schema, root) ?? name}
          path={path}
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

function JsonField({ label, problem: told, value, onChange }: WithLabel<unknown>) {
  const id = useId();
  const [text, setText] = useState(value === undefined ? "" : jsonText(value));
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
    <Labeled id={id} label={label} problem={problem || told}>
      <textarea
        id={id}
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        spellCheck={false}
        placeholder="JSON"
        aria-invalid={problem !== "" || told !== undefined}
        className={`${INPUT} font-mono text-xs aria-invalid:border-failed`}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
    </Labeled>
  );
}

interface LabeledProps {
  readonly id: string;
  readonly label: ReactNode;
  readonly problem: string | undefined;
  readonly children: ReactNode;
}

function Labeled({ id, label, problem, children }: LabeledProps) {
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block">
        {label}
      </label>
      {children}
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

function Problem({ id, text }: { id?: string; text: string | undefined }) {
  return text === undefined ? null : (
    <p id={id} className="text-xs break-words whitespace-pre-wrap text-failed">
      {text}
    </p>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function blank(schema: Schema, root: Schema): unknown {
  switch (fieldKind(resolve(schema, root)).kind) {
    case "text":
      return "";
    case "object":
      return {};
    case "list":
      return [];
    case "map":
      return {};
    case "boolean":
      return false;
    default:
      return null;
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
