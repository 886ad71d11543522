import { type ApiReference, type ApiSchema, type Operation, resolved } from "#/pages/docs/reference.ts";
import { shellWord } from "#/parts/command.ts";

/** Objects inside objects of a sample; a schema may contain itself. */
const DEPTH_MAX = 4;

/** A value that a schema accepts, as far as it says: the required fields, with its examples where it has some. */
export function sampleOf(schema: ApiSchema, schemas: ApiReference["schemas"], depth = 0): unknown {
  const own = resolved(schema, schemas);
  const given = own.example ?? own.examples?.[0] ?? own.const ?? own.default ?? own.enum?.[0];
  if (given !== undefined || depth > DEPTH_MAX) {
    return given ?? null;
  }
  const [choice] = own.oneOf ?? own.anyOf ?? [];
  if (choice !== undefined) {
    return sampleOf(choice, schemas, depth);
  }
  const parts = (own.allOf ?? []).map((part) => resolved(part, schemas));
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own.properties);
  const required = [...parts.flatMap((part) => part.required ?? []), ...(own.required ?? [])];
  switch (Array.isArray(own.type) ? own.type[0] : own.type) {
    case "string":
      return own.format === "date-time" ? "2026-01-31T12:00:00Z" : "…";
    case "integer":
    case "number":
      return own.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return own.items === undefined ? [] : [sampleOf(own.items, schemas, depth + 1)];
    default:
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, schemas, depth + 1)]));
  }
}

/**
 * The call of an operation by curl, with what is required.
 *
 * @param server the address of the gateway, with a slash at its end
 */
export function curlCommand(operation: Operation, schemas: ApiReference["schemas"], server: string): string {
  const { method, path, parameters, bodies } = operation;
  const required = parameters.filter((parameter) => parameter.required && parameter.in === "query");
  const query = required.map(
    ({ name, example, schema }) => `${name}=${encodeURIComponent(String(example ?? sampleOf(schema, schemas)))}`,
  );
  const address = `${server.replace(/\/$/, "")}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const [body] = bodies;
  const isJson = body?.type === "application/json";
  const value = body?.example ?? (body?.schema === undefined ? undefined : sampleOf(body.schema, schemas));
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${shellWord(address)}`,
    ...(isJson ? ["-H 'Content-Type: application/json'", `-d ${shellWord(JSON.stringify(value))}`] : []),
    ...(body !== undefined && !isJson ? ["--data-binary @FILE"] : []),
  ].join(" \\\n  ");
}
