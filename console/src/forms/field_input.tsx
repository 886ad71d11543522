import { useId } from "react";
import type { FormField } from "#/forms/field.ts";

interface Props {
  readonly field: FormField;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

const INPUT =
  "w-full min-h-9 rounded-md border border-line bg-ground px-2.5 py-1.5 text-sm placeholder:text-muted aria-invalid:border-failed";
const ROWS_MAX = 14;

/** A field of a form with its label, what it means, and what is wrong with it. */
export function FieldInput({ field, text, problem, onChange }: Props) {
  const id = useId();
  const described = [field.help === undefined ? "" : `${id}-help`, problem === undefined ? "" : `${id}-problem`];
  const shared = {
    id,
    value: text,
    required: field.isRequired === true,
    placeholder: field.placeholder,
    "aria-invalid": problem !== undefined,
    "aria-describedby": described.filter(Boolean).join(" ") || undefined,
    className: INPUT,
  };
  const { kind } = field;
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="text-sm font-medium">
        {field.label}
      </label>
      {kind.is === "choice" ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          {kind.choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : kind.is === "lines" || kind.is === "object" || kind.is === "json" ? (
        <textarea
          {...shared}
          rows={Math.min(ROWS_MAX, Math.max(kind.is === "lines" ? 2 : 3, text.split("\n").length))}
          spellCheck={false}
          className={`${INPUT} font-mono text-xs`}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          type={TYPES[kind.is]}
          autoComplete={kind.is === "secret" ? "new-password" : "off"}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {field.help !== undefined && (
        <p id={`${id}-help`} className="text-xs text-muted">
          {field.help}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-xs whitespace-pre-wrap text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

const TYPES = { text: "text", secret: "password", number: "number", "local-time": "datetime-local" } as const;
