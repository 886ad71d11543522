import type { YamlPlace } from "#/pages/editor/yaml_place.ts";

/** The part of a JSON Schema that completion reads. */
export interface CompletionSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, CompletionSchema>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, CompletionSchema>>;
  readonly additionalProperties?: boolean | CompletionSchema;
  readonly items?: CompletionSchema;
  readonly anyOf?: readonly CompletionSchema[];
}

/** Something that can be written at a place. */
export interface Suggestion {
  readonly label: string;
  readonly info: string;
  readonly insert: string;
}

/** What the schema allows at a place: keys that are not there yet, or the values of a key. */
export function suggestions(schema: CompletionSchema, place: YamlPlace): readonly Suggestion[] {
  let at: CompletionSchema | undefined = resolve(schema, schema);
  for (const part of place.path) {
    at = at === undefined ? undefined : below(at, part, schema);
  }
  if (at === undefined) {
    return [];
  }
  if (place.key !== undefined) {
    const value = below(at, place.key, schema);
    return valuesOf(value, schema).map((text) => ({ label: text, info: "", insert: text }));
  }
  return Object.entries(at.properties ?? {})
    .filter(([name]) => !place.siblings.has(name))
    .map(([name, given]) => {
      const { $ref: _, ...own } = given;
      const property = { ...resolve(given, schema), ...own };
      return { label: name, info: property.description ?? "", insert: `${name}:${isNested(property) ? "" : " "}` };
    });
}

function below(at: CompletionSchema, part: string, root: CompletionSchema): CompletionSchema | undefined {
  const found =
    part === "[]"
      ? at.items
      : (at.properties?.[part] ?? (typeof at.additionalProperties === "object" ? at.additionalProperties : undefined));
  return found === undefined ? undefined : resolve(found, root);
}

function resolve(schema: CompletionSchema, root: CompletionSchema): CompletionSchema {
  const name = schema.$ref?.replace("#/$defs/", "");
  const found = name === undefined ? schema : root.$defs?.[name];
  const first = found?.anyOf?.find((other) => other.$ref !== undefined || other.properties !== undefined);
  return found === undefined ? {} : first === undefined ? found : { ...resolve(first, root), ...found };
}

function valuesOf(schema: CompletionSchema | undefined, root: CompletionSchema): readonly string[] {
  if (schema === undefined) {
    return [];
  }
  if (schema.const !== undefined) {
    return [String(schema.const)];
  }
  if (schema.enum !== undefined) {
    return schema.enum.map(String);
  }
  if (schema.type === "boolean") {
    return ["true", "false"];
  }
  return (schema.anyOf ?? []).flatMap((other) => valuesOf(resolve(other, root), root));
}

function isNested({ type }: CompletionSchema): boolean {
  return type === "object" || type === "array";
}
