import type { Problem } from "#/api/types.ts";
import type { FormField, FormTexts, FormValues } from "#/forms/field.ts";
import { words } from "#/words/words.ts";

/** What people typed, read as the fields want it, or why that is impossible, by field. */
export type FormReading =
  | { readonly kind: "values"; readonly values: FormValues }
  | { readonly kind: "problems"; readonly problems: FormTexts };

/** Reads the texts of a form. An empty text is no value. */
export function readForm(fields: readonly FormField[], texts: FormTexts): FormReading {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const text = texts[field.name] ?? "";
    if (text.trim() === "") {
      if (field.isRequired === true) {
        problems[field.name] = words.forms.missing;
      }
      continue;
    }
    const read = readValue(field, text);
    if (read.problem !== undefined) {
      problems[field.name] = read.problem;
    } else {
      values[field.name] = read.value;
    }
  }
  return Object.keys(problems).length > 0 ? { kind: "problems", problems } : { kind: "values", values };
}

/** The values of a form that can be read, whatever is wrong with the others: what a command shows while somebody types. */
export function readableValues(fields: readonly FormField[], texts: FormTexts): FormValues {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = texts[field.name] ?? "";
      const read = text.trim() === "" ? { problem: words.forms.missing } : readValue(field, text);
      return read.problem === undefined ? [[field.name, read.value]] : [];
    }),
  );
}

function readValue(field: FormField, text: string): { readonly value?: unknown; readonly problem?: string } {
  switch (field.kind.is) {
    case "text":
      return { value: text.trim() };
    case "secret":
    case "choice":
      return { value: text };
    case "number":
      return Number.isFinite(Number(text)) ? { value: Number(text) } : { problem: words.forms.notNumber };
    case "lines":
      return {
        value: text
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== ""),
      };
    case "local-time": {
      const time = new Date(text);
      return Number.isNaN(time.getTime()) ? { problem: words.forms.notTime } : { value: time.toISOString() };
    }
    case "json":
    case "object":
      return readJson(text, field.kind.is === "object");
  }
}

function readJson(text: string, mustBeObject: boolean): { readonly value?: unknown; readonly problem?: string } {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return mustBeObject && !isObject ? { problem: words.actions.notObject } : { value };
  } catch (error) {
    return { problem: words.actions.wrongJson(error instanceof Error ? error.message : String(error)) };
  }
}

type Named = Pick<FormField, "name" | "serverName">;

/** The names of the problems that are about some field. */
export function placedNames(fields: readonly Named[], problem: Problem | undefined): ReadonlySet<string> {
  const names = (problem?.errors ?? []).map(({ field }) => field ?? "");
  return new Set(names.filter((field) => fields.some(({ name, serverName }) => isOf(field, serverName ?? name))));
}

/** The words of the server at the fields they are about; what is about no field stays with the problem as a whole. */
export function rejections(fields: readonly Named[], problem: Problem | undefined): FormTexts {
  const found: Record<string, string> = {};
  for (const { field, message } of problem?.errors ?? []) {
    const owner = fields.find(({ name, serverName }) => isOf(field ?? "", serverName ?? name));
    if (owner !== undefined) {
      const before = found[owner.name];
      found[owner.name] = before === undefined ? (message ?? "") : `${before}\n${message}`;
    }
  }
  return found;
}

function isOf(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
}
