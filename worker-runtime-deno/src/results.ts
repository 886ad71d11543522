/** Encodes the return value of `main`, and locates the problem if it is not JSON. */

import { ResultError } from "./errors.ts";

/** Deepest nesting of arrays and objects in a value, the same in each runtime and in the scheduler. */
const DEPTH_MAX = 500;

const HINT = "Return only null, booleans, finite numbers, strings, arrays and plain objects.";

/** What to return in place of an object whose content no field holds, by its tag. */
const IN_PLACE_OF: Readonly<Record<string, string>> = {
  AsyncGenerator: "return Array.fromAsync(…) of it",
  Blob: "return its bytes or its text",
  File: "return its bytes or its text",
  FormData: "return Object.fromEntries(…) of it",
  Generator: "return an array of its items",
  Headers: "return Object.fromEntries(…) of it",
  Map: "return Object.fromEntries(…) of it",
  ReadableStream: "return what it delivers",
  Request: "return its fields or `await` its json(), text() or bytes()",
  Response: "return `await` its json(), text() or bytes()",
  Set: "return an array of its members",
  URLSearchParams: "return Object.fromEntries(…) of it",
};

/**
 * Returns `value` as JSON. `undefined` becomes null, and is omitted as the value of a key. An object with a `toJSON`
 * method, such as a `Date`, becomes what that returns. A `Uint8Array` becomes text in base64, as bytes of Python do.
 * An instance of a class becomes an object with its fields; one without any is refused, since it may hold its content
 * elsewhere, as a `Response` does.
 *
 * @param root Name of the value in error messages.
 * @throws {ResultError} The value is not JSON, or nests deeper than `DEPTH_MAX`. The message names the place, such as
 *     `result.items[3]`.
 */
export function encodeValue(value: unknown, root = "result"): string {
  try {
    const json = JSON.stringify(value, asJson) ?? "null";
    if (!nestsTooDeeply(json)) return json;
  } catch (error) {
    const trouble = findTrouble(value, root, []) ?? `${root} cannot be written as JSON: ${String(error)}`;
    throw new ResultError(`${trouble}. ${HINT}`);
  }
  throw new ResultError(`${root} is nested deeper than ${DEPTH_MAX} levels. ${HINT}`);
}

/** Whether a value is nested inside more than `DEPTH_MAX` arrays and objects. Takes one pass over the text. */
function nestsTooDeeply(json: string): boolean {
  if (json.length <= 2 * DEPTH_MAX) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (quoted) {
      if (char === "\\") i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[" || char === "{") {
      if (++depth > DEPTH_MAX) return true;
    } else if (char === "]" || char === "}") depth--;
  }
  return false;
}

function asJson(this: unknown, key: string, value: unknown): unknown {
  // An undefined root is a `main` without a result.
  if (describeTrouble(value) !== undefined || !key.isWellFormed()) throw new TypeError(`${key} is not JSON.`);
  // A date without a time has become null before.
  if (value === null && isInvalidDate((this as Record<string, unknown>)[key])) throw new TypeError("No date.");
  return value instanceof Uint8Array ? base64(value) : value;
}

function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime());
}

/** Node.js, on which handlers use this module, has no `toBase64` yet. */
function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Describes why the value itself, regardless of its content, is not JSON. */
function describeTrouble(value: unknown): string | undefined {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : `is ${value}, which JSON has no number for`;
    case "string":
      return value.isWellFormed() ? undefined : "has half of a surrogate pair, which is not valid Unicode text";
    case "bigint":
      return "is a BigInt, which JSON has no form for";
    case "function":
    case "symbol":
      return `is a ${typeof value}, which JSON has no form for`;
    case "object":
      return describeForeignObject(value);
    case "boolean":
    case "undefined":
      return undefined;
  }
}

function describeForeignObject(value: object | null): string | undefined {
  if (value === null || Array.isArray(value) || value instanceof Uint8Array || isPlain(value)) return undefined;
  if (value instanceof Promise) return "is a promise: await it";
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return describeTrouble(value.valueOf());
  }
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (!hidesContent(value, tag)) return undefined;
  const name = tag === "Object" ? value.constructor?.name || "a class" : tag;
  const wayOut = IN_PLACE_OF[tag] ?? (Symbol.asyncIterator in value ? IN_PLACE_OF["AsyncGenerator"] : undefined);
  if (wayOut !== undefined) return `is of type ${name}, which JSON has no form for: ${wayOut}`;
  return tag === "Object" && Object.keys(value).length === 0
    ? `is of type ${name} and has no fields that JSON could hold`
    : `is of type ${name}, which JSON has no form for`;
}

/** Whether an object is of no class. Its prototype is another one if it comes from another realm. */
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Whether an object of a class may hold something that its own fields do not show. */
function hidesContent(value: object, tag: string): boolean {
  if (value instanceof Error || Symbol.asyncIterator in value || Object.keys(value).length === 0) return true;
  // A class that extends one of the platform, such as Response, may have fields beside the content.
  const platform: unknown = tag === "Object" ? undefined : (globalThis as Record<string, unknown>)[tag];
  return typeof platform === "function" && value instanceof platform;
}

/** Returns a clause that describes the first value that is not JSON. */
function findTrouble(value: unknown, path: string, parents: readonly object[]): string | undefined {
  if (isInvalidDate(value)) return `${path} is an invalid date, which JSON has no form for`;
  const seen = withToJson(value);
  const trouble = describeTrouble(seen);
  if (trouble !== undefined) return `${path} ${trouble}`;
  if (typeof seen !== "object" || seen === null || seen instanceof Uint8Array) return undefined;
  if (parents.includes(seen)) return `${path} contains itself`;
  if (parents.length >= DEPTH_MAX) return `${rootOf(path)} is nested deeper than ${DEPTH_MAX} levels`;
  const inner = [...parents, seen];
  for (const [key, item] of Object.entries(seen)) {
    if (!key.isWellFormed()) return `${path} has a key with half of a surrogate pair, which is not valid Unicode text`;
    const found = findTrouble(item, pathOf(path, key, Array.isArray(seen)), inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withToJson(value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null;
  return isObject && "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON("") : value;
}

function rootOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}

function pathOf(path: string, key: string, isArray: boolean): string {
  if (isArray) return `${path}[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
