/**
 * Reads the signature of a script's `main` as a JSON Schema 2020-12 of its input, and prints it. Nothing of the script
 * runs. What is not certain becomes the schema that takes anything.
 *
 * @module
 */

import { CONTEXT_PARAMETER, type DeclaredParameter, declaredParameters, WHOLE_INPUT_PARAMETER } from "./parameters.ts";
import { type Declaration, Declarations, type WrittenParameter } from "./signature_docs.ts";
import { ANYTHING, define, described, nullable, type Schema, Types } from "./signature_types.ts";
import { SCHEMA_EXPORT } from "./standard_schema.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Most characters of a schema, the same in the scheduler. */
const LENGTH_MAX = 65_536;

/** Deepest nesting of a schema. Checks go as deep, and again at each level of a value. */
const DEPTH_MAX = 100;

/**
 * Returns the schema of the input that a script takes.
 *
 * @param script Address of the script.
 * @param folder Address of the folder with all files of its version.
 * @param deno The program that reads declarations.
 */
export async function readSignature(script: string, folder: string, deno = Deno.execPath()): Promise<Schema> {
  const declarations = await Declarations.read(script, folder, deno);
  const mains = declarations?.of("main", script) ?? [];
  const main = mains.length === 1 ? mains[0] : undefined;
  if (declarations === undefined || main?.kind !== "function" || main.location?.filename !== script) return ANYTHING;
  if (declarations.of(SCHEMA_EXPORT, script).length > 0) return ANYTHING; // Types say what its schema makes of the input.
  try {
    const made = new Signature(main, new Types(declarations), Deno.readTextFileSync(new URL(script)), script).schema();
    return within(made) ?? within(withoutDetails(made)) ?? ANYTHING;
  } catch (error) {
    if (error instanceof RangeError) return ANYTHING; // The types go too deep.
    throw error;
  }
}

/** The signature of one `main`. */
class Signature {
  readonly #main: Declaration;
  readonly #types: Types;
  readonly #source: string;
  readonly #script: string;

  constructor(main: Declaration, types: Types, source: string, script: string) {
    this.#main = main;
    this.#types = types;
    this.#source = source;
    this.#script = script;
  }

  schema(): Schema {
    const written = (this.#main.def?.params ?? []).filter(({ kind, name }) => kind !== "rest" && name !== "this");
    const parts = (declaredParameters(this.#source) ?? [])
      .filter(({ text }) => !/^(?:\.\.\.|this\b)/.test(text));
    if (parts.length !== written.length) return ANYTHING;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const [index, parameter] of written.entries()) {
      const part = parts[index];
      const name = (parameter.left ?? parameter).name ?? "";
      if (part?.name !== name) return ANYTHING;
      if (name === CONTEXT_PARAMETER) continue;
      define(properties, name, this.#ofParameter(parameter, part));
      if (!part.isOptional && parameter.left === undefined) required.push(name);
    }
    const names = Object.keys(properties);
    const only = names.length === 1 ? names[0] : undefined;
    if (names.includes("") && only !== "") return ANYTHING;
    return this.#complete(
      only === "" || only === WHOLE_INPUT_PARAMETER
        ? wholeInput(only, properties[only] ?? ANYTHING)
        : { properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false },
    );
  }

  #complete(rules: Schema): Schema {
    const { definitions } = this.#types;
    return {
      ...described({ $schema: DIALECT, type: "object" }, this.#main.jsDoc?.doc),
      ...rules,
      ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
    };
  }

  #ofParameter(parameter: WrittenParameter, { text }: DeclaredParameter): Schema {
    const { name, optional, tsType, kind, props } = parameter.left ?? parameter;
    const fallback = parameter.left === undefined ? undefined : literalAtEnd(text);
    const schema = this.#types.of(tsType, this.#script);
    const tag = this.#main.jsDoc?.tags?.find((one) => one.kind === "param" && one.name === name);
    const made = described(optional || fallback === null ? nullable(schema) : schema, tag?.doc);
    if (kind === "object") return this.#ofDestructured(made, props);
    return fallback === undefined ? made : { ...made, default: fallback };
  }

  /** What has a default in the pattern may be left out, whatever the type says. */
  #ofDestructured(schema: Schema, props: WrittenParameter["props"] = []): Schema {
    const whole = this.#types.resolved(schema);
    const withDefaults = props.filter(({ kind, value }) => kind === "assign" && value !== null).map(({ key }) => key);
    const required = whole["required"];
    if (!Array.isArray(required) || !required.some((name) => withDefaults.includes(name))) return schema;
    return { ...whole, required: required.filter((name) => !withDefaults.includes(name)) };
  }
}

/** What a parameter takes that receives the whole input. By its name, it may also be the only key of the input. */
function wholeInput(name: string, schema: Schema): Schema {
  const { default: _, ...rules } = schema;
  // An input is an object. What another type says about one is not certain.
  const others = "type" in rules && rules["type"] !== "object" ? ANYTHING : rules;
  if (name === "") return others;
  return {
    if: { required: [name] },
    then: { properties: { [name]: schema }, additionalProperties: false },
    else: others,
  };
}

/** The literal that ends the text of a parameter as its default; undefined if there is none, or something else. */
function literalAtEnd(text: string): unknown {
  const found = /(?<![=!<>])=\s*("[^"]*"|'[^'"\\]*'|-?\d+(?:\.\d+)?|true|false|null|\[\s*\]|\{\s*\})$/.exec(text)?.[1];
  if (found === undefined) return undefined;
  try {
    return JSON.parse(found.startsWith("'") ? `"${found.slice(1, -1)}"` : found);
  } catch {
    return undefined;
  }
}

/** Returns the names of the parameters only, which are all that a very large schema says. */
function withoutDetails(schema: Schema): Schema {
  const { $schema, type, required, properties, additionalProperties } = schema;
  if (typeof properties !== "object" || properties === null) return { $schema, type };
  const names: Record<string, Schema> = {};
  for (const name of Object.keys(properties)) define(names, name, ANYTHING);
  return { $schema, type, properties: names, ...(required === undefined ? {} : { required }), additionalProperties };
}

function within(schema: Schema): Schema | undefined {
  return isDeep(schema, DEPTH_MAX) || JSON.stringify(schema).length > LENGTH_MAX ? undefined : schema;
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels < 0 || Object.values(value).some((item) => isDeep(item, levels - 1));
}

if (import.meta.main) {
  const [script, folder, deno] = Deno.args;
  if (script === undefined || folder === undefined) {
    throw new TypeError("usage: signature.ts SCRIPT_URL FOLDER_URL/ DENO");
  }
  console.log(JSON.stringify(await readSignature(new URL(script).href, new URL(folder).href, deno)));
}
