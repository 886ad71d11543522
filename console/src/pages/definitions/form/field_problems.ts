import { createContext } from "react";
import { ProblemError } from "#/api/problem.ts";
import { alternativeOf, fieldKind, resolve, type Schema } from "#/pages/definitions/form/schema.ts";

/** What is wrong with the fields of a form, in the server's words, by their paths: `items[0].count`. */
export type FieldProblemMap = Readonly<Record<string, string>>;

export const FieldProblems = createContext<FieldProblemMap>({});

/** A form that is made from a schema, with the value that it shows. */
export interface ShownForm {
  readonly schema: Schema;
  readonly value: unknown;
}

/** The problems that a form shows at its fields. */
export interface PlacedProblems {
  readonly fields: FieldProblemMap;
  /** The names of these problems in the answer of the server: nothing else has to show them. */
  readonly named: ReadonlySet<string>;
}

/**
 * The problems that an answer of the server has with the fields of a form, at those that the form has.
 *
 * @param prefix name of the form's value in the call, such as `input`
 * @param form undefined if no form is shown
 */
export function problemsAt(error: unknown, prefix: string, form: ShownForm | undefined): PlacedProblems {
  const fields: Record<string, string> = {};
  const named = new Set<string>();
  for (const { field = "", message = "" } of error instanceof ProblemError ? error.problem.errors : []) {
    const isBelow = field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`);
    const path = field.slice(prefix.length).replace(/^\./, "");
    if (form !== undefined && isBelow && hasField(form, path)) {
      const before = fields[path];
      fields[path] = before === undefined ? message : `${before}\n${message}`;
      named.add(field);
    }
  }
  return { fields, named };
}

/** Whether a form shows a field at a path, at which it can say what is wrong. */
function hasField({ schema: root, value: whole }: ShownForm, path: string): boolean {
  let schema = resolve(root, root);
  let value = whole;
  const parts = path.split(/\.|(?=\[)/).filter(Boolean);
  if (parts.length === 0) {
    // The fields of an object stand by themselves, so that there is no place for what is wrong with all of it.
    return fieldKind(schema).kind !== "object";
  }
  for (const part of parts) {
    let shown = fieldKind(schema);
    if (shown.kind === "alternatives") {
      schema = resolve(shown.schemas[alternativeOf(shown.schemas, value, root)] ?? {}, root);
      shown = fieldKind(schema);
    }
    const index = /^\[(\d+)\]$/.exec(part)?.[1];
    const inner = memberOf(value, index ?? part);
    const next =
      shown.kind === "object"
        ? (shown.properties.find(([name]) => name === part)?.[1] ?? (inner === undefined ? undefined : shown.others))
        : shown.kind === "map"
          ? inner === undefined
            ? undefined
            : shown.values
          : shown.kind === "list" && inner !== undefined
            ? shown.items
            : shown.kind === "tuple"
              ? shown.items[Number(index)]
              : undefined;
    if (next === undefined) {
      return false;
    }
    schema = resolve(next, root);
    value = inner;
  }
  return true;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The path of a member of an object, or of an entry of a list. */
export function pathIn(path: string, part: string | number): string {
  return typeof part === "number" ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`;
}
