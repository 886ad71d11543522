/** Encodes the return value of `main`, and locates the problem if it is not JSON. */

import { ResultError } from "./errors.ts";

/** Deepest nesting of arrays and objects in a value, the same in each runtime and in the scheduler. */
const DEPTH_MAX = 500;

const HINT = "Return only null, booleans, finite numbers, strings, arrays and plain objects.";

/**
 * Returns `value` as JSON. `undefined` becomes null, and is omitted as the value of a key. An object with a `toJSON`
 * method, such as a `Date`, becomes what that returns. A `Uint8Array` becomes text in base64, as bytes of Python do.
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
  if (describeTrouble(value) !== undefined) throw new TypeError(`${key} is not JSON.`);
  return value instanceof Uint8Array ? base64(value) : value;
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
  if (value === null || Array.isArray(value) || value instanceof Uint8Array) return undefined;
  if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
  if (value instanceof Promise) return "is a promise: await it";
  const foreign = value instanceof Map || value instanceof Set || value instanceof WeakMap ||
    value instanceof WeakSet || value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Error ||
    value instanceof RegExp;
  return foreign ? `is of type ${value.constructor.name}, which JSON has no form for` : undefined;
}

/** Returns a clause that describes the first value that is not JSON. */
function findTrouble(value: unknown, path: string, parents: readonly object[]): string | undefined {
  const seen = withToJson(value);
  const trouble = describeTrouble(seen);
  if (trouble !== undefined) return `${path} ${trouble}`;
  if (typeof seen !== "object" || seen === null || seen instanceof Uint8Array) return undefined;
  if (parents.includes(seen)) return `${path} contains itself`;
  if (parents.length >= DEPTH_MAX) return `${rootOf(path)} is nested deeper than ${DEPTH_MAX} levels`;
  const inner = [...parents, seen];
  for (const [key, item] of Object.entries(seen)) {
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
