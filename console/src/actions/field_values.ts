import type { Field } from "#/actions/action.ts";
import { words } from "#/words/words.ts";

/** What people typed, read as the fields want it, or why that is impossible. */
export type Reading =
  | { readonly kind: "values"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "problems"; readonly problems: Readonly<Record<string, string>> };

/** Reads the texts of fields. An empty text is no value. */
export function readFields(fields: readonly Field[], texts: Readonly<Record<string, string>>): Reading {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const text = (texts[field.name] ?? "").trim();
    if (text === "" || field.kind === "text") {
      if (text !== "") {
        values[field.name] = text;
      }
      continue;
    }
    try {
      const value: unknown = JSON.parse(text);
      if (field.kind === "object" && (typeof value !== "object" || value === null || Array.isArray(value))) {
        problems[field.name] = words.actions.notObject;
      }
      values[field.name] = value;
    } catch (error) {
      problems[field.name] = words.actions.wrongJson(error instanceof Error ? error.message : String(error));
    }
  }
  return Object.keys(problems).length > 0 ? { kind: "problems", problems } : { kind: "values", values };
}
