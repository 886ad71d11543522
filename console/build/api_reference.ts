import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { parse } from "yaml";
import type { Answer, ApiReference, ApiSchema, Content, Operation, Parameter } from "../src/pages/docs/reference.ts";

/** The module that has the reference: `import { reference } from "virtual:api-reference"`. */
const MODULE = "virtual:api-reference";
const METHODS = ["get", "head", "post", "put", "patch", "delete"] as const;

interface Reference {
  readonly $ref: string;
}

interface Media {
  readonly schema?: ApiSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface Message {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface OperationSource {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Message | Reference;
  readonly responses?: Readonly<Record<string, Message | Reference>>;
}

type PathSource = { readonly [Method in (typeof METHODS)[number]]?: OperationSource } & {
  readonly parameters?: readonly (Parameter | Reference)[];
};

/** An OpenAPI document as far as this module reads it. */
interface ApiDocument {
  readonly info: { readonly description?: string };
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathSource>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly schemas: Readonly<Record<string, ApiSchema>>;
  };
}

/**
 * Gives the console the reference of the REST API as a module. It is made when the console is built, so that browsers resolve
 * nothing but names of schemas.
 *
 * @param file the OpenAPI document, in YAML
 */
export function apiReferencePlugin(file: string): Plugin {
  const id = `\0${MODULE}`;
  return {
    name: "api-reference",
    resolveId: (source) => (source === MODULE ? id : undefined),
    load(loaded) {
      if (loaded !== id) {
        return undefined;
      }
      this.addWatchFile(file);
      const json = JSON.stringify(apiReference(readFileSync(file, "utf8")));
      // Engines parse JSON in a string faster than an expression of the same size.
      return `export const reference = JSON.parse(${JSON.stringify(json)});`;
    },
  };
}

/** What the page shows of an OpenAPI document in YAML: operations in the order of the document's tags. */
export function apiReference(yaml: string): ApiReference {
  const document = parse(yaml) as ApiDocument;
  const tags = (document.tags ?? []).map(({ name }) => name);
  const operations = Object.entries(document.paths).flatMap(([path, source]) =>
    METHODS.flatMap((method) => {
      const operation = source[method];
      return operation === undefined ? [] : [operationOf(document, path, method, source, operation)];
    }),
  );
  const order = ({ tag }: Operation) => (tags.includes(tag) ? tags.indexOf(tag) : tags.length);
  return {
    description: document.info.description ?? "",
    operations: operations.sort((one, other) => order(one) - order(other)),
    schemas: document.components.schemas,
  };
}

function operationOf(
  document: ApiDocument,
  path: string,
  method: string,
  { parameters: shared = [] }: PathSource,
  source: OperationSource,
): Operation {
  const body = source.requestBody === undefined ? {} : resolve(document, source.requestBody);
  return {
    id: source.operationId,
    method: method.toUpperCase(),
    path,
    tag: source.tags?.[0] ?? "",
    summary: source.summary ?? "",
    description: source.description ?? "",
    parameters: [...shared, ...(source.parameters ?? [])].map((parameter) =>
      parameterOf(resolve<Parameter>(document, parameter)),
    ),
    bodies: contentsOf(body),
    answers: Object.entries(source.responses ?? {}).map(([status, response]) =>
      answerOf(status, resolve(document, response)),
    ),
  };
}

function parameterOf({
  name,
  in: place,
  required = false,
  description = "",
  schema = {},
  example,
}: Parameter): Parameter {
  return { name, in: place, required, description, schema, ...(example === undefined ? {} : { example }) };
}

function answerOf(status: string, message: Message): Answer {
  return { status, description: message.description ?? "", contents: contentsOf(message) };
}

function contentsOf({ content = {} }: Message): readonly Content[] {
  return Object.entries(content).map(([type, { schema, example, examples }]) => {
    const shown = example ?? Object.values(examples ?? {})[0]?.value;
    return {
      type,
      ...(schema === undefined ? {} : { schema }),
      ...(shown === undefined ? {} : { example: shown }),
    };
  });
}

/** What a reference such as `#/components/responses/Problem` names. */
function resolve<T extends object>(document: ApiDocument, value: T | Reference): T {
  if (!("$ref" in value)) {
    return value;
  }
  const [, , kind = "", name = ""] = value.$ref.split("/");
  const found = document.components[kind]?.[name];
  if (found === undefined) {
    throw new Error(`The OpenAPI document refers to ${value.$ref}, which it does not have.`);
  }
  return found as T;
}
