/** Converts what JSON has to what types of TypeScript say: dates, bytes and large whole numbers, at any depth. */

import { InputError } from "./errors.ts";
import type { TypeSources } from "./type_sources.ts";
import { type DeclaredType, type Member, OTHER, type TypeNode } from "./type_text.ts";

/** Types that JSON does not have. */
export type Conversion = "Date" | "Uint8Array" | "bigint";

/** Converts a value of JSON, in place if it is an object or a list. Errors name the place by its path. */
export type Converter = (value: unknown, path: string) => unknown;

const SHOWN_LENGTH_MAX = 40;

/** Most types that are read for one script, and their deepest nesting: a generic type may contain another one of itself. */
const TYPES_MAX = 10_000;
const DEPTH_MAX = 50;

type Shape = "string" | "number" | "boolean" | "array" | "object";

const SHAPES: readonly Shape[] = ["string", "number", "boolean", "array", "object"];

/** A type, as far as conversions need it. */
interface Compiled {
  /** What JSON may have there besides null. */
  readonly shapes: readonly Shape[];
  readonly convert?: Converter | undefined;
  /** The only value. */
  readonly literal?: string | number | boolean | undefined;
  /** The members of an object, by name. */
  readonly members?: ReadonlyMap<string, Compiled> | undefined;
  readonly others?: Compiled | undefined;
}

/** What the names of type parameters stand for. */
type Given = ReadonlyMap<string, Compiled>;

const ANYTHING: Compiled = { shapes: SHAPES };
const NOTHING: Compiled = { shapes: [] };
const KEYWORDS: Readonly<Record<string, Compiled>> = {
  string: { shapes: ["string"] },
  number: { shapes: ["number"] },
  boolean: { shapes: ["boolean"] },
  object: { shapes: ["object", "array"] },
  null: NOTHING,
  undefined: NOTHING,
  void: NOTHING,
  never: NOTHING,
  bigint: { shapes: ["string", "number"], convert: toBigint },
};
const GLOBALS: Readonly<Record<string, Compiled>> = {
  Date: { shapes: ["string"], convert: toDate },
  Uint8Array: { shapes: ["string"], convert: toBytes },
};

/** Whether a text may have types that are converted. It spares most scripts the work. */
export function mayConvert(text: string): boolean {
  return /\b(?:Date|Uint8Array|bigint)\b/.test(text);
}

/** Makes the converters of one script. */
export class Conversions {
  readonly #sources: TypeSources;
  /** By declaration, without those that have arguments; lazy, since types may contain themselves. */
  readonly #declared = new Map<string, Compiled>();
  #types = 0;
  #depth = 0;

  constructor(sources: TypeSources) {
    this.#sources = sources;
  }

  /** Returns what converts values of a type in a file; undefined if there is nothing to convert. */
  of(type: TypeNode, file: string): Converter | undefined {
    const { convert } = this.#compile(type, file, new Map());
    return convert && ((value, path) => isAbsent(value) ? value : convert(value, path));
  }

  #compile(type: TypeNode, file: string, given: Given): Compiled {
    if (++this.#types > TYPES_MAX || this.#depth >= DEPTH_MAX) return ANYTHING;
    this.#depth++;
    const compiled = this.#compileKind(type, file, given);
    this.#depth--;
    return compiled;
  }

  #compileKind(type: TypeNode, file: string, given: Given): Compiled {
    switch (type.kind) {
      case "array":
        return arrayOf(this.#compile(type.item, file, given));
      case "tuple":
        return tupleOf(type.items.map((item) => this.#compile(item, file, given)));
      case "object": {
        const members = this.#members(type.members, file, given);
        return objectOf(members, type.others && this.#compile(type.others, file, given));
      }
      case "union":
        return unionOf(type.parts.map((part) => this.#compile(part, file, given)));
      case "intersection":
        return merged(type.parts.map((part) => this.#compile(part, file, given)));
      case "literal":
        return { shapes: [typeof type.value as Shape], literal: type.value };
      case "name":
        return this.#named(type.name, type.given.map((one) => this.#compile(one, file, given)), type, file, given);
      case "other":
        return ANYTHING;
    }
  }

  #members(members: readonly Member[], file: string, given: Given): Map<string, Compiled> {
    return new Map(members.map(({ name, type }) => [name, this.#compile(type, file, given)]));
  }

  #named(
    name: string,
    values: readonly Compiled[],
    { given: written }: { readonly given: readonly TypeNode[] },
    file: string,
    given: Given,
  ): Compiled {
    const parameter = given.get(name) ?? (Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined);
    if (parameter !== undefined) return parameter;
    const meaning = this.#sources.meaning(name, file);
    if (meaning.kind === "unknown") return ANYTHING;
    if (meaning.kind === "global") return ofGlobal(name, values, written[1]);
    if (values.length > 0 || meaning.types.some(({ parameters }) => parameters.length > 0)) {
      return merged(meaning.types.map((declared) => this.#ofDeclared(declared, meaning.file, values)));
    }
    const known = this.#declared.get(meaning.key);
    if (known !== undefined) return known;
    this.#declared.set(meaning.key, {
      shapes: ["array", "object"],
      convert: (value, path) => this.#declared.get(meaning.key)?.convert?.(value, path) ?? value,
    });
    const compiled = merged(meaning.types.map((declared) => this.#ofDeclared(declared, meaning.file, [])));
    this.#declared.set(meaning.key, compiled);
    return compiled;
  }

  #ofDeclared({ parameters, bases, type }: DeclaredType, file: string, values: readonly Compiled[]): Compiled {
    const given = new Map<string, Compiled>();
    for (const [index, { name, fallback }] of parameters.entries()) {
      given.set(name, values[index] ?? this.#compile(fallback, file, given));
    }
    const own = this.#compile(type, file, given);
    return bases.length === 0 ? own : merged([...bases.map((base) => this.#compile(base, file, given)), own]);
  }
}

function ofGlobal(name: string, values: readonly Compiled[], keys: TypeNode | undefined): Compiled {
  const [first = ANYTHING, second = ANYTHING] = values;
  switch (name) {
    case "Array":
    case "ReadonlyArray":
      return arrayOf(first);
    case "Record":
      return objectOf(new Map(), second);
    case "Partial":
    case "Required":
    case "Readonly":
    case "NonNullable":
      return first;
    case "Pick":
    case "Omit": {
      const names = namesIn(keys);
      if (first.members === undefined || names === undefined) return ANYTHING;
      const kept = [...first.members].filter(([member]) => names.has(member) === (name === "Pick"));
      return objectOf(new Map(kept), name === "Omit" ? first.others : undefined);
    }
    default:
      return (Object.hasOwn(GLOBALS, name) ? GLOBALS[name] : undefined) ?? ANYTHING;
  }
}

/** The texts of a union of literals; undefined if it is none. */
function namesIn(type: TypeNode = OTHER): ReadonlySet<string> | undefined {
  const parts = type.kind === "union" ? type.parts : [type];
  const names = parts.map((part) => part.kind === "literal" ? String(part.value) : undefined);
  return names.includes(undefined) ? undefined : new Set(names as string[]);
}

function arrayOf({ convert }: Compiled): Compiled {
  if (convert === undefined) return { shapes: ["array"] };
  return {
    shapes: ["array"],
    convert: (value, path) => {
      if (!Array.isArray(value)) return value;
      for (const [index, item] of value.entries()) {
        if (!isAbsent(item)) value[index] = convert(item, `${path}[${index}]`);
      }
      return value;
    },
  };
}

function tupleOf(items: readonly Compiled[]): Compiled {
  if (items.every(({ convert }) => convert === undefined)) return { shapes: ["array"] };
  return {
    shapes: ["array"],
    convert: (value, path) => {
      if (!Array.isArray(value)) return value;
      for (const [index, { convert }] of items.entries()) {
        if (convert && !isAbsent(value[index])) value[index] = convert(value[index], `${path}[${index}]`);
      }
      return value;
    },
  };
}

function objectOf(members: ReadonlyMap<string, Compiled>, others?: Compiled): Compiled {
  const converted = [...members].filter(([, { convert }]) => convert !== undefined);
  const made: Compiled = { shapes: ["object"], members, others };
  if (converted.length === 0 && others?.convert === undefined) return made;
  return {
    ...made,
    convert: (value, path) => {
      if (shapeOf(value) !== "object") return value;
      const object = value as Record<string, unknown>;
      for (const [name, { convert }] of converted) convertMember(object, name, convert, path);
      if (others?.convert !== undefined) {
        for (const name of Object.keys(object)) {
          if (!members.has(name)) convertMember(object, name, others.convert, path);
        }
      }
      return value;
    },
  };
}

function convertMember(
  object: Record<string, unknown>,
  name: string,
  convert: Converter | undefined,
  path: string,
): void {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (convert === undefined || isAbsent(value)) return;
  const converted = convert(value, memberPath(path, name));
  // An assignment to this name would change the prototype.
  if (name === "__proto__") Object.defineProperty(object, name, { value: converted });
  else object[name] = converted;
}

function memberPath(path: string, name: string): string {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

/** All parts at once, as intersections and interfaces with bases have them. */
function merged(parts: readonly Compiled[]): Compiled {
  const [first] = parts;
  if (first === undefined) return ANYTHING;
  if (parts.length === 1) return first;
  if (parts.some(({ members }) => members === undefined)) {
    // One of them is no object, such as a brand: what is converted stays so if only one part converts.
    const converting = parts.filter(({ convert }) => convert !== undefined);
    return converting.length === 1 && converting[0] !== undefined ? converting[0] : ANYTHING;
  }
  return objectOf(
    new Map(parts.flatMap(({ members = new Map() }) => [...members])),
    parts.find(({ others }) => others !== undefined)?.others,
  );
}

/** The part that fits a value converts it; if several may be meant, the value stays as it is. */
function unionOf(parts: readonly Compiled[]): Compiled {
  const shapes = SHAPES.filter((shape) => parts.some((part) => part.shapes.includes(shape)));
  const real = parts.filter((part) => part.shapes.length > 0);
  if (real.length === 1 && real[0] !== undefined) return real[0];
  if (real.every(({ convert }) => convert === undefined)) return { shapes };
  return { shapes, convert: (value, path) => partFor(value, real)?.convert?.(value, path) ?? value };
}

function partFor(value: unknown, parts: readonly Compiled[]): Compiled | undefined {
  const shape = shapeOf(value);
  const fitting = parts.filter((part) => part.shapes.includes(shape));
  const equal = fitting.find(({ literal }) => literal === value);
  if (equal !== undefined) return equal;
  const open = fitting.filter(({ literal }) => literal === undefined);
  if (open.length <= 1 || shape !== "object") return open.length === 1 ? open[0] : undefined;
  const object = value as Record<string, unknown>;
  const marked = open.filter(({ members }) =>
    [...members ?? []].every(([name, { literal }]) => literal === undefined || object[name] === literal)
  );
  return marked.length === 1 ? marked[0] : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

function shapeOf(value: unknown): Shape {
  return Array.isArray(value) ? "array" : typeof value as Shape;
}

function toDate(value: unknown, path: string): unknown {
  if (value instanceof Date) return value;
  const date = typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? new Date(value) : undefined;
  if (date !== undefined && !Number.isNaN(date.getTime())) return date;
  throw new InputError(`${path}: ${shown(value)} is not a date and time such as 2026-01-31T09:30:00Z.`);
}

function toBytes(value: unknown, path: string): unknown {
  if (value instanceof Uint8Array) return value;
  try {
    if (typeof value === "string") return Uint8Array.fromBase64(value);
  } catch { /* It is no base64. */ }
  throw new InputError(`${path}: ${shown(value)} is not base64.`);
}

function toBigint(value: unknown, path: string): unknown {
  if (typeof value === "bigint") return value;
  if (typeof value === "string" && /^[+-]?\d+$/.test(value)) return BigInt(value);
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw new InputError(
    Number.isInteger(value)
      ? `${path}: ${shown(value)} may have lost digits. Give it as a text, such as "12345678901234567890".`
      : `${path}: ${shown(value)} is not a whole number.`,
  );
}

function shown(value: unknown): string {
  const line = (JSON.stringify(value) ?? String(value)).replace(/\s+/g, " ");
  return line.length <= SHOWN_LENGTH_MAX ? line : line.slice(0, SHOWN_LENGTH_MAX - 1) + "…";
}
