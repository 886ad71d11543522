/** Makes JSON Schemas of types, which take all values that the types allow, and where possible nothing else. */

import type { Declaration, Declarations, WrittenMembers, WrittenProperty, WrittenType } from "./signature_docs.ts";

/** A JSON Schema; an empty one takes anything. */
export type Schema = { readonly [keyword: string]: unknown };

/** What the names of type parameters stand for. */
type Arguments = ReadonlyMap<string, Schema>;

/** Where a type is written. */
interface Place {
  readonly file: string;
  readonly arguments: Arguments;
}

export const ANYTHING: Schema = {};

const NULL: Schema = { type: "null" };
const NUMBER: Schema = { type: "number" };
const NONE: Arguments = new Map();

const DEFINITIONS = "#/$defs/";

/** Most types that are read for one version. Types that contain types could otherwise grow without end. */
const NODES_MAX = 50_000;

/** Deepest nesting of types. A generic type may contain itself with another argument each time. */
const DEPTH_MAX = 200;

export const DESCRIPTION_LENGTH_MAX = 1_000;

const KEYWORDS: Readonly<Record<string, Schema>> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  null: NULL,
  object: { type: ["object", "array"] },
  undefined: NULL,
  void: NULL,
  bigint: { type: ["integer", "string"], pattern: "^[+-]?\\d+$" },
};

/** What the runtime converts. */
const CONVERTED: Readonly<Record<string, Schema>> = {
  Date: { type: "string", format: "date-time", pattern: "^\\d{4}-\\d\\d-\\d\\d" },
  Uint8Array: { type: "string", contentEncoding: "base64" },
};

/** Names that strings, numbers, booleans and arrays have, too, so that an object type with only these takes more. */
const NAMES_OF_OTHERS = new Set(
  [Object, Array, String, Number, Boolean].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
);

/** Keywords of a schema of an object whose members are all known. */
const OF_OBJECTS = new Set(["type", "title", "description", "properties", "required"]);

/** The types contain more than can be read. */
class TooLarge extends Error {}

/** Makes the schemas of one version. Those of interfaces are kept apart, so that interfaces may contain themselves. */
export class Types {
  readonly definitions: Record<string, Schema> = {};
  readonly #declarations: Declarations;
  /** By declaration and type arguments. */
  readonly #declared = new Map<string, Schema>();
  /** Names of definitions that are being made, and whether they are needed. */
  readonly #unfinished = new Map<string, boolean>();
  #nodes = 0;
  #depth = 0;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  /** Returns the schema of a type that stands at the top level of a file; one that takes anything if it contains too much. */
  of(type: WrittenType | undefined, file: string): Schema {
    try {
      return this.#of(type, { file, arguments: NONE });
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.#depth = 0;
      for (const name of this.#unfinished.keys()) this.definitions[name] = ANYTHING;
      this.#unfinished.clear();
      return ANYTHING;
    }
  }

  /** Returns the schema that a reference leads to. */
  resolved(schema: Schema): Schema {
    const reference = schema["$ref"];
    const name = typeof reference === "string" ? reference.slice(DEFINITIONS.length) : undefined;
    return name === undefined || this.#unfinished.has(name) ? schema : this.definitions[name] ?? ANYTHING;
  }

  #of(type: WrittenType | undefined, place: Place): Schema {
    if (type === undefined) return ANYTHING;
    if (++this.#nodes > NODES_MAX || this.#depth >= DEPTH_MAX) throw new TooLarge();
    this.#depth++;
    const schema = this.#ofKind(type, place);
    this.#depth--;
    return schema;
  }

  #ofKind(type: WrittenType, place: Place): Schema {
    const { value } = type;
    switch (type.kind) {
      case "keyword":
        return KEYWORDS[String(value)] ?? ANYTHING;
      case "literal":
        return ofLiteral(value as Record<string, unknown>);
      case "parenthesized":
      case "optional":
        return this.#of(value as WrittenType, place);
      case "array":
        return arrayOf(this.#of(value as WrittenType, place));
      case "tuple":
        return this.#ofTuple(value as readonly WrittenType[], place);
      case "union":
        return union((value as readonly WrittenType[]).map((one) => this.#of(one, place)));
      case "intersection":
        return this.#intersection((value as readonly WrittenType[]).map((one) => this.#of(one, place)));
      case "typeLiteral":
        return this.#ofMembers(value as WrittenMembers, [], place);
      case "typeOperator": {
        const { operator, tsType } = value as { readonly operator: string; readonly tsType: WrittenType };
        return operator === "readonly" ? this.#of(tsType, place) : ANYTHING;
      }
      case "indexedAccess": {
        const { objType, indexType } = value as { readonly objType: WrittenType; readonly indexType: WrittenType };
        return this.#ofIndex(this.#of(objType, place), this.#of(indexType, place));
      }
      case "typeRef":
        return this.#ofReference(value as Reference, place);
      default:
        return ANYTHING;
    }
  }

  /** Deno does not tell which of the elements with names are optional, or are a list of further ones. */
  #ofTuple(elements: readonly WrittenType[], place: Place): Schema {
    const items: Schema[] = [];
    for (const element of elements) {
      const item = element.kind === "rest" ? ANYTHING : this.#of(element, place);
      if (isAnything(item) || typesOf(this.resolved(item)).includes("array")) break;
      items.push(nullable(item));
    }
    return items.length > 0 ? { type: "array", prefixItems: items } : { type: "array" };
  }

  #ofMembers(members: WrittenMembers, bases: readonly Schema[], place: Place): Schema {
    if (members.callSignatures?.length || members.constructors?.length) return ANYTHING;
    const properties: Record<string, Schema> = {};
    const required = new Set<string>();
    let isObject = false;
    for (const base of bases) {
      Object.assign(properties, propertiesOf(base));
      for (const name of requiredOf(base)) required.add(name);
      isObject ||= base["type"] === "object";
    }
    for (const member of [...members.properties ?? [], ...members.methods ?? []]) {
      if (member.computed) continue;
      define(properties, member.name, this.#ofProperty(member, place));
      if (member.optional || this.#mayBeUndefined(member.tsType, place)) required.delete(member.name);
      else required.add(member.name);
    }
    const index = members.indexSignatures?.find(({ params }) => params[0]?.tsType?.value === "string");
    const others = index ? this.#of(index.tsType, place) : ANYTHING;
    const names = Object.keys(properties);
    isObject ||= names.some((name) => !NAMES_OF_OTHERS.has(name)) || !isAnything(others);
    const made: Record<string, unknown> = isObject ? { type: "object" } : {};
    if (names.length > 0) made["properties"] = properties;
    if (required.size > 0) made["required"] = [...required];
    if (!isAnything(others)) made["additionalProperties"] = others;
    return made;
  }

  #ofProperty({ tsType, optional, jsDoc }: WrittenProperty, place: Place): Schema {
    const schema = this.#of(tsType, place);
    return described(optional ? nullable(schema) : schema, jsDoc?.doc);
  }

  #mayBeUndefined(type: WrittenType | undefined, place: Place): boolean {
    switch (type?.kind) {
      case undefined:
        return true;
      case "keyword":
        return ["undefined", "void", "any", "unknown"].includes(String(type.value));
      case "union":
        return (type.value as readonly WrittenType[]).some((one) => this.#mayBeUndefined(one, place));
      case "literal":
      case "array":
      case "tuple":
      case "typeLiteral":
        return false;
      default:
        return takesNull(this.resolved(this.#of(type, place)));
    }
  }

  #ofReference({ typeName, typeParams = [], resolution }: Reference, place: Place): Schema {
    if (resolution?.kind === "typeParam") return place.arguments.get(typeName) ?? ANYTHING;
    const given = typeParams.map((one) => this.#of(one, place));
    if (resolution === undefined) return this.#ofGlobal(typeName, given);
    const found = this.#find(typeName, resolution.kind, place.file);
    if (found === undefined) return ANYTHING;
    const types = found.declarations.filter(({ kind }) => ["interface", "typeAlias", "enum", "class"].includes(kind));
    const declaration = types.length === 1 ? types[0] : undefined;
    if (declaration === undefined) return ANYTHING;
    const file = declaration.location?.filename ?? found.file;
    switch (declaration.kind) {
      case "enum":
        return ofEnum(declaration, found.name);
      case "interface":
      case "typeAlias":
        return this.#ofDeclared(declaration, found.name, given, file);
      default:
        return ANYTHING; // An object of JSON has no methods and private members.
    }
  }

  #find(
    typeName: string,
    kind: string,
    file: string,
  ): { readonly name: string; readonly declarations: readonly Declaration[]; readonly file: string } | undefined {
    const [first = "", second, ...more] = typeName.split(".");
    if (more.length > 0) return undefined;
    if (kind === "local") {
      const declarations = second === undefined ? this.#declarations.of(first, file) : [];
      return { name: first, declarations, file };
    }
    const imported = this.#declarations.imported(first, file);
    const name = second === undefined ? imported?.name : imported?.name === undefined ? second : undefined;
    if (imported === undefined || name === undefined) return undefined;
    return { name, declarations: this.#declarations.of(name, imported.file), file: imported.file };
  }

  #ofDeclared(declaration: Declaration, name: string, given: readonly Schema[], file: string): Schema {
    const key = `${file} ${declaration.location?.byteIndex} ${JSON.stringify(given)}`;
    const known = this.#declared.get(key);
    if (known !== undefined) return this.#referred(known);
    const unused = this.#unused(name);
    const reference = { $ref: `${DEFINITIONS}${unused}` };
    this.#declared.set(key, reference);
    this.#unfinished.set(unused, false);
    this.definitions[unused] = ANYTHING;
    const made = this.#ofDeclaration(declaration, given, file);
    const isNeeded = this.#unfinished.get(unused) === true || "properties" in made;
    this.#unfinished.delete(unused);
    if (!isNeeded) {
      delete this.definitions[unused];
      this.#declared.set(key, made);
      return made;
    }
    this.definitions[unused] = described("type" in made ? { ...made, title: name } : made, declaration.jsDoc?.doc);
    return reference;
  }

  #referred(known: Schema): Schema {
    const name = String(known["$ref"]).slice(DEFINITIONS.length);
    if (this.#unfinished.has(name)) this.#unfinished.set(name, true);
    return known;
  }

  #ofDeclaration({ kind, def = {} }: Declaration, given: readonly Schema[], file: string): Schema {
    const parameters = def.typeParams ?? [];
    const values = new Map<string, Schema>();
    const place = { file, arguments: values };
    for (const [index, parameter] of parameters.entries()) {
      values.set(parameter.name, given[index] ?? this.#of(parameter.default, place));
    }
    if (kind === "typeAlias") return this.#of(def.tsType, place);
    const bases = (def.extends ?? []).map((base) => this.resolved(this.#of(base, place)));
    return this.#ofMembers(def, bases, place);
  }

  #unused(name: string): string {
    const plain = /^\w+$/.test(name) && name !== "__proto__" ? name : "Type";
    let unused = plain;
    for (let number = 2; Object.hasOwn(this.definitions, unused); number++) unused = `${plain}_${number}`;
    return unused;
  }

  #ofGlobal(name: string, given: readonly Schema[]): Schema {
    const [first = ANYTHING, second = ANYTHING] = given;
    switch (name) {
      case "Array":
      case "ReadonlyArray":
        return arrayOf(first);
      case "Record":
        return this.#ofRecord(first, second);
      case "Readonly":
      case "NonNullable":
        return first;
      case "Partial":
      case "Pick":
      case "Omit":
        return this.#ofPart(name, this.resolved(first), namesIn(this.resolved(second)));
      default:
        return (Object.hasOwn(CONVERTED, name) ? CONVERTED[name] : undefined) ?? ANYTHING;
    }
  }

  #ofRecord(keys: Schema, values: Schema): Schema {
    const names = namesIn(this.resolved(keys));
    if (names !== undefined) {
      const properties: Record<string, Schema> = {};
      for (const name of names) define(properties, name, values);
      const isObject = names.some((name) => !NAMES_OF_OTHERS.has(name));
      return { ...(isObject ? { type: "object" } : {}), properties, ...(takesNull(values) ? {} : { required: names }) };
    }
    if (isAnything(values)) return { type: ["object", "array"] };
    return keys["type"] === "string" ? { type: "object", additionalProperties: values } : ANYTHING;
  }

  #ofPart(how: string, whole: Schema, names: readonly string[] | undefined): Schema {
    if (!isObject(whole) || (how !== "Partial" && names === undefined)) return ANYTHING;
    const kept = Object.entries(propertiesOf(whole))
      .filter(([name]) => how === "Partial" || names?.includes(name) === (how === "Pick"));
    const properties: Record<string, Schema> = {};
    for (const [name, schema] of kept) define(properties, name, how === "Partial" ? nullable(schema) : schema);
    const required = how === "Partial" ? [] : requiredOf(whole).filter((name) => Object.hasOwn(properties, name));
    const mayBeOther = kept.every(([name]) => NAMES_OF_OTHERS.has(name));
    return {
      ...(mayBeOther ? {} : { type: "object" }),
      properties,
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #ofIndex(object: Schema, index: Schema): Schema {
    const whole = this.resolved(object);
    const names = namesIn(this.resolved(index)) ?? [];
    const found = names.map((name) => isObject(whole) ? propertiesOf(whole)[name] ?? ANYTHING : ANYTHING);
    return found.length > 0 ? union(found) : ANYTHING;
  }

  #intersection(parts: readonly Schema[]): Schema {
    // What is not known may be `any`, and so is an intersection with it then.
    if (parts.some(isAnything)) return ANYTHING;
    // No value of JSON has the marks that authors give to texts and numbers: `string & { readonly mark: "id" }`.
    const marked = parts.find((part) =>
      "enum" in part || ["string", "number", "boolean"].includes(String(part["type"]))
    );
    if (marked !== undefined) return marked;
    const wholes = parts.map((part) => this.resolved(part));
    // A list may be an object of the other type, too, and a text may have the optional properties of one.
    if (!wholes.every(isObject)) return ANYTHING;
    const properties: Record<string, Schema> = {};
    for (const [name, property] of wholes.flatMap((part) => Object.entries(propertiesOf(part)))) {
      define(properties, name, Object.hasOwn(properties, name) ? ANYTHING : property);
    }
    const required = wholes.flatMap(requiredOf);
    return { type: "object", properties, ...(required.length > 0 ? { required: [...new Set(required)] } : {}) };
  }
}

interface Reference {
  readonly typeName: string;
  readonly typeParams?: readonly WrittenType[];
  /** Where the name is declared; undefined for what belongs to the language. */
  readonly resolution?: { readonly kind: string };
}

/** Returns a schema for what one of several takes. */
export function union(choices: readonly Schema[]): Schema {
  const flat: Schema[] = [];
  const known = new Set<string>();
  for (const choice of choices) {
    if (isAnything(choice)) return ANYTHING;
    for (const one of "anyOf" in choice ? choice["anyOf"] as readonly Schema[] : [choice]) {
      const text = JSON.stringify(one);
      if (!known.has(text)) flat.push(one);
      known.add(text);
    }
  }
  if (flat.length === 0) return ANYTHING;
  const literals = flat.filter(isEnum);
  const joined = literals.length > 1
    ? [...flat.filter((one) => !isEnum(one)), { enum: [...new Set(literals.flatMap((one) => one["enum"]))] }]
    : flat;
  const [other, ...others] = joined.filter((one) => one["type"] !== "null");
  if (other !== undefined && others.length === 0 && joined.length === 2) {
    if (Array.isArray(other["enum"])) return { ...other, enum: [...other["enum"].filter((one) => one !== null), null] };
    if ("type" in other) return { ...other, type: [...typesOf(other).filter((kind) => kind !== "null"), "null"] };
  }
  if (joined.every((one) => Object.keys(one).join() === "type")) {
    const kinds = [...new Set(joined.flatMap(typesOf))];
    return { type: kinds.length === 1 ? kinds[0] : kinds };
  }
  return joined.length === 1 && joined[0] !== undefined ? joined[0] : { anyOf: joined };
}

/** Returns a schema that takes null, too. */
export function nullable(schema: Schema): Schema {
  return union([schema, NULL]);
}

/** Adds a description, unless there is none. */
export function described(schema: Schema, text: string | undefined): Schema {
  const first = text?.split(/\n\s*\n/, 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
  return first === "" ? schema : { ...schema, description: first.slice(0, DESCRIPTION_LENGTH_MAX).toWellFormed() };
}

/** Sets a property also if its name is one that objects have in other ways, such as `__proto__`. */
export function define(properties: Record<string, Schema>, name: string, schema: Schema): void {
  Object.defineProperty(properties, name, { value: schema, enumerable: true, configurable: true, writable: true });
}

function ofLiteral(literal: Record<string, unknown>): Schema {
  switch (literal["kind"]) {
    case "string":
      return isWhole(literal["string"]) ? { enum: [literal["string"]] } : { type: "string" };
    case "number":
      return Number.isFinite(literal["number"]) ? { enum: [literal["number"]] } : NUMBER;
    case "boolean":
      return { enum: [literal["boolean"]] };
    case "template":
      return { type: "string" };
    default:
      return ANYTHING;
  }
}

/** Whether Deno has told a text as it is: half of a surrogate pair has no form in its output. */
function isWhole(text: unknown): boolean {
  return typeof text === "string" && text.isWellFormed() && !text.includes("\ufffd");
}

function arrayOf(items: Schema): Schema {
  return isAnything(items) ? { type: "array" } : { type: "array", items };
}

/** Numbers of an enumeration may be combined. Of a member without a literal, Deno does not tell the value. */
function ofEnum({ def }: Declaration, name: string): Schema {
  const values = (def?.members ?? []).map(({ init }) =>
    init?.kind === "literal" ? ofLiteral(init.value as Schema) : {}
  );
  const schema = union(
    values.map((one) => Array.isArray(one["enum"]) && typeof one["enum"][0] === "number" ? NUMBER : one),
  );
  return isAnything(schema) ? schema : { ...schema, title: name };
}

/** Whether a schema takes anything. */
export function isAnything(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => keyword === "title" || keyword === "description");
}

function isEnum(schema: Schema): boolean {
  return Object.keys(schema).join() === "enum";
}

function isObject(schema: Schema): boolean {
  return schema["type"] === "object" && Object.keys(schema).every((keyword) => OF_OBJECTS.has(keyword));
}

function takesNull(schema: Schema): boolean {
  const kinds = typesOf(schema);
  return kinds.length > 0 ? kinds.includes("null") : !Array.isArray(schema["enum"]) || schema["enum"].includes(null);
}

/** The texts that a schema enumerates; undefined if it does something else. */
function namesIn(schema: Schema): readonly string[] | undefined {
  const values = schema["enum"];
  return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : undefined;
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
}

function requiredOf(schema: Schema): readonly string[] {
  return (schema["required"] ?? []) as readonly string[];
}

function typesOf(schema: Schema): readonly unknown[] {
  const kinds = schema["type"];
  return kinds === undefined ? [] : Array.isArray(kinds) ? kinds : [kinds];
}
