import { fieldKind, type Schema } from "#/pages/definitions/form/schema.ts";
import { jsonText } from "#/parts/json_text.ts";
import { words } from "#/words/words.ts";

export type Input = Readonly<Record<string, unknown>>;

/** An input that a person edits: in the fields of a form, or as JSON. */
export interface InputDraft {
  readonly input: Input;
  /** What the person has written as JSON; undefined in the form. */
  readonly text: string | undefined;
}

/** The draft that begins with an input: as a form if the schema makes one. */
export function draftOf(schema: Schema | undefined, input: Input): InputDraft {
  return hasForm(schema) ? { input, text: undefined } : { input, text: jsonText(input) };
}

export function hasForm(schema: Schema | undefined): boolean {
  return schema !== undefined && fieldKind(schema).kind === "object";
}

/** The input of a draft, or why its text is none. */
export function readDraft({ input, text }: InputDraft): Input | string {
  if (text === undefined) {
    return input;
  }
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Input)
      : words.actions.notObject;
  } catch (error) {
    return words.actions.wrongJson(error instanceof Error ? error.message : String(error));
  }
}

/** The draft in the other way of editing; itself with why, if its text is no input. */
export function toggled(draft: InputDraft): InputDraft | string {
  if (draft.text === undefined) {
    return { ...draft, text: jsonText(draft.input) };
  }
  const read = readDraft(draft);
  return typeof read === "string" ? read : { input: read, text: undefined };
}
