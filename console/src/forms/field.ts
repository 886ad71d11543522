/** A value that a form asks for. */
export interface FormField {
  /** Name of the value, and the beginning of the name by which the server rejects it, unless `serverName` differs. */
  readonly name: string;
  readonly serverName?: string;
  readonly label: string;
  readonly help?: string;
  readonly kind: FieldKind;
  readonly isRequired?: boolean;
  readonly initial?: string;
  readonly placeholder?: string;
}

/** How a value is written: `lines` are texts, one a line; `local-time` is a time in the zone of the person. */
export type FieldKind =
  | { readonly is: "text" }
  | { readonly is: "secret" }
  | { readonly is: "number" }
  | { readonly is: "lines" }
  | { readonly is: "object" }
  | { readonly is: "json" }
  | { readonly is: "local-time" }
  | { readonly is: "choice"; readonly choices: readonly (readonly [value: string, label: string])[] };

export type FormTexts = Readonly<Record<string, string>>;

/** Values by the names of their fields; a field that was left empty has none. */
export type FormValues = Readonly<Record<string, unknown>>;

export const TEXT: FieldKind = { is: "text" };
export const SECRET: FieldKind = { is: "secret" };
export const NUMBER: FieldKind = { is: "number" };
export const LINES: FieldKind = { is: "lines" };
export const OBJECT: FieldKind = { is: "object" };
export const JSON_VALUE: FieldKind = { is: "json" };
export const LOCAL_TIME: FieldKind = { is: "local-time" };

/** A field with a few values to choose from. */
export function choice(choices: readonly (readonly [value: string, label: string])[]): FieldKind {
  return { is: "choice", choices };
}

/** The texts with which a form begins. */
export function initialTexts(fields: readonly FormField[]): FormTexts {
  return Object.fromEntries(fields.map((field) => [field.name, field.initial ?? ""]));
}

/** A text among values, if there is one. */
export function textOf(values: FormValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** An object with the value under this name, or without it if there is no value: absent is not undefined in JSON. */
export function present<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [key in K]?: V };
}
