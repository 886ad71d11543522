import type { Wait } from "#/api/types.ts";
import type { Schema } from "#/pages/definitions/form/schema.ts";

/** What a wait tells people, as far as its author has said it. */
export interface WaitDetails {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly form: Schema | undefined;
  /** Who may answer; undefined for everybody. */
  readonly assignees: readonly string[] | undefined;
}

/** Reads the details of a wait, which are any JSON. */
export function detailsOf({ details }: Pick<Wait, "details">): WaitDetails {
  const given = isObject(details) ? details : {};
  return {
    title: textOf(given.title),
    description: textOf(given.description),
    form: isObject(given.form) ? (given.form as Schema) : undefined,
    assignees: Array.isArray(given.assignees) ? given.assignees.map(String) : undefined,
  };
}

/** Whether a person with this name may answer; the server decides for good. */
export function isFor(details: WaitDetails, name: string): boolean {
  return details.assignees === undefined || details.assignees.includes(name);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
