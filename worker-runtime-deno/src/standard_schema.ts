/** Validates the input of jobs by a schema of the script's own, in the form of https://standardschema.dev. */

import { InputError } from "./errors.ts";
import { Parameters } from "./parameters.ts";
import type { Script } from "./script.ts";

/** Name of the export that validates the input. */
export const SCHEMA_EXPORT = "inputSchema";

const ISSUES_MAX = 20;

/** What libraries such as zod, Valibot and ArkType offer: version 1 of the interface. */
export interface StandardSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => Validation | Promise<Validation>;
  };
}

type Validation =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

/** Whether an export is a schema. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as { readonly "~standard"?: { readonly validate?: unknown } })["~standard"];
  return typeof standard?.validate === "function";
}

/** The script with a `main` that gets what the schema makes of the input. */
export function validating(schema: StandardSchema, { main, parameters, ...others }: Script): Script {
  return {
    ...others,
    main: async (input, context) => main(...parameters.bind(await validate(schema, input), context)),
    parameters: Parameters.OF_WHOLE_INPUT,
  };
}

async function validate(schema: StandardSchema, input: unknown): Promise<unknown> {
  const result = await schema["~standard"].validate(input);
  if (result.issues === undefined) return result.value;
  const lines = result.issues.slice(0, ISSUES_MAX).map(({ message, path = [] }) => `${placeOf(path)}${message}`);
  throw new InputError(lines.join("\n") || `The schema ${SCHEMA_EXPORT} of the script refuses the input.`);
}

function placeOf(path: NonNullable<Issue["path"]>): string {
  const keys = path.map((part) => typeof part === "object" ? part.key : part);
  const place = keys.map((key) => typeof key === "number" ? `[${key}]` : `.${String(key)}`).join("");
  return place === "" ? "" : `${place.replace(/^\./, "")}: `;
}
