/** The REST API as the page shows it: the OpenAPI document without what only programs read. */
export interface ApiReference {
  readonly description: string;
  readonly operations: readonly Operation[];
  /** Schemas by the names that `$ref` has. */
  readonly schemas: Readonly<Record<string, ApiSchema>>;
}

export interface Operation {
  /** Names the operation in addresses: `submitRun`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly bodies: readonly Content[];
  readonly answers: readonly Answer[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly description: string;
  readonly schema: ApiSchema;
  readonly example?: unknown;
}

/** A body of a request or an answer in one media type. */
export interface Content {
  readonly type: string;
  readonly schema?: ApiSchema;
  readonly example?: unknown;
}

export interface Answer {
  /** `200`, or `default`. */
  readonly status: string;
  readonly description: string;
  readonly contents: readonly Content[];
}

/** A JSON Schema as far as the document of the API uses it. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly additionalProperties?: ApiSchema | boolean;
  readonly allOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly anyOf?: readonly ApiSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The last part of a reference to a schema: `Run` of `#/components/schemas/Run`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The schema that a reference stands for; the schema itself if it is none. */
export function resolved(schema: ApiSchema, schemas: ApiReference["schemas"]): ApiSchema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});
}
