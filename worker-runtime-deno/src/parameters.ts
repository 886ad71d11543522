/** Fills the parameters of `main` by name from the input of a job. */

import type { Converter } from "./conversions.ts";
import { InputError, LoadError } from "./errors.ts";
import { skipBlank, splitList } from "./source_text.ts";
import { typeAt, type TypeNode } from "./type_text.ts";

export const CONTEXT_PARAMETER = "ctx";
export const WHOLE_INPUT_PARAMETER = "input";
const SHOWN_LENGTH_MAX = 40;

/** Beginning of the declaration of `main`, up to its parameters. */
const MAIN_FUNCTION = /^[ \t]*(?:export\s+)?(?:async\s+)?function\s*\*?\s*main\b[^(]*/m;
const MAIN_CONSTANT =
  /^[ \t]*(?:export\s+)?(?:const|let|var)\s+main\s*=\s*(?:async\b\s*)?(?:function\b[^(]*)?(?=[(<])[^(]*/m;

/** One parameter of `main`. */
interface Parameter {
  /** Empty if the parameter is destructured. */
  readonly name: string;
  /** Whether `main` needs a value for it. */
  readonly isRequired: boolean;
  /** Source text without the type. */
  readonly text: string;
  /** Converts what JSON has to what the type says. */
  readonly convert?: Converter | undefined;
}

/** Parameters of one `main`, read once so that filling them is fast for every job. */
export class Parameters {
  /** Those of a function that gets the whole input and the context. */
  static readonly OF_WHOLE_INPUT = new Parameters([
    { name: "", isRequired: false, text: "input" },
    { name: CONTEXT_PARAMETER, isRequired: false, text: CONTEXT_PARAMETER },
  ]);

  readonly #parameters: readonly Parameter[];
  readonly #names: ReadonlySet<string>;
  /** Name of the only parameter, if it may receive the whole input. */
  readonly #whole: string | undefined;

  /** @throws {LoadError} One of several parameters has no name by which it could be filled. */
  constructor(parameters: readonly Parameter[]) {
    const filled = parameters.filter((parameter) => parameter.name !== CONTEXT_PARAMETER);
    const only = filled.length === 1 ? filled[0] : undefined;
    this.#parameters = parameters;
    this.#names = new Set(filled.map((parameter) => parameter.name));
    this.#whole = only?.name === "" || only?.name === WHOLE_INPUT_PARAMETER ? only.name : undefined;
    const nameless = filled.find((parameter) => parameter.name === "");
    if (nameless !== undefined && filled.length > 1) {
      throw new LoadError(
        `The parameter ${nameless.text} of main has no name by which it could be filled: give it one, or make it the only one.`,
      );
    }
  }

  /**
   * Returns the arguments for one call.
   *
   * @throws {InputError} The input does not fit; the message lists the parameters.
   */
  bind(input: unknown, context: unknown): unknown[] {
    const isWhole = this.#whole !== undefined && (this.#whole === "" || !isObjectWith(input, this.#whole));
    const given = isWhole ? { [this.#whole]: input ?? {} } : this.#check(input);
    return this.#parameters.map(({ name, convert }) => {
      if (name === CONTEXT_PARAMETER) return context;
      return convert === undefined ? given[name] : convert(given[name], name);
    });
  }

  #check(input: unknown): Record<string, unknown> {
    const given = input ?? {};
    if (typeof given !== "object" || Array.isArray(given)) {
      throw new InputError(
        `The input is ${jsonType(given)}, but main takes an object whose keys are its parameters: ${this}.`,
      );
    }
    const unknown = Object.keys(given).filter((key) => !this.#names.has(key));
    if (unknown.length > 0) {
      throw new InputError(`The input has ${keys(unknown)} that main does not take: it takes ${this}.`);
    }
    const missing = this.#parameters.filter(({ name, isRequired }) => isRequired && !Object.hasOwn(given, name));
    if (missing.length > 0) {
      throw new InputError(
        `The input lacks ${keys(missing.map(({ name }) => name))} that main needs: it takes ${this}.`,
      );
    }
    return given as Record<string, unknown>;
  }

  toString(): string {
    const filled = this.#parameters.filter(({ name }) => name !== CONTEXT_PARAMETER);
    return filled.length === 0 ? "no parameters" : filled.map(({ text }) => shorten(text)).join(", ");
  }
}

/**
 * Reads the parameters of `main`.
 *
 * @param main The function, whose own text has lost its types.
 * @param script The script's text, where a question mark in the type marks an optional parameter.
 * @param converterOf Returns what converts values of a type.
 * @throws {LoadError} The parameters cannot be filled by name.
 */
export function readParameters(
  main: (...args: never[]) => unknown,
  script: string,
  converterOf: (type: TypeNode) => Converter | undefined = () => undefined,
): Parameters {
  const source = main.toString();
  const declared = declaredParameters(script);
  const optional = declared && new Set(declared.filter(({ isOptional }) => isOptional).map(({ name }) => name));
  const types = new Map(declared?.map((one) => [one.name, typeOf(one)]));
  const parameters = splitParameters(source).map((text) => readParameter(text, optional));
  return new Parameters(parameters.map((one) => {
    const type = types.get(one.name);
    return { ...one, convert: type && converterOf(type) };
  }));
}

function readParameter(text: string, optional: ReadonlySet<string> | undefined): Parameter {
  const match = /^([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(=[^]*)?$/u.exec(text);
  const name = match?.[1];
  if (name === undefined) return { name: "", isRequired: false, text };
  const hasDefault = match?.[2] !== undefined;
  const mayBeLeftOut = hasDefault || name === CONTEXT_PARAMETER || optional === undefined || optional.has(name);
  return { name, isRequired: !mayBeLeftOut, text: mayBeLeftOut && !hasDefault ? `${name}?` : text };
}

/** Extracts the parameter list from the text of a function of any form. */
function splitParameters(source: string): readonly string[] {
  let index = skipBlank(source, 0);
  const keyword = /^async(?![\w$])/.exec(source.slice(index));
  if (keyword) index = skipBlank(source, index + keyword[0].length);
  const lone = /^([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(source.slice(index));
  if (lone?.[1] !== undefined) return [lone[1]];
  const open = source.indexOf("(", index);
  const list = open < 0 ? undefined : splitList(source, open);
  if (list === undefined || source.slice(list.end).includes("[native code]")) {
    throw new LoadError("The parameters of main cannot be read: export a plain function.");
  }
  return list.parts.filter((part) => !part.startsWith("..."));
}

/** A parameter as the script declares it, with its type. */
export interface DeclaredParameter {
  /** Empty if the parameter is destructured. */
  readonly name: string;
  /** Whether a question mark follows the name. */
  readonly isOptional: boolean;
  readonly text: string;
}

/** Returns the parameters that the text of a script declares; undefined if it does not declare `main` itself. */
export function declaredParameters(script: string): readonly DeclaredParameter[] | undefined {
  const declaration = MAIN_FUNCTION.exec(script) ?? MAIN_CONSTANT.exec(script);
  const list = declaration ? splitList(script, declaration.index + declaration[0].length) : undefined;
  return list && withWholeTypes(list.parts).map((text) => {
    const match = /^([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(\?)?/u.exec(text);
    return { name: match?.[1] ?? "", isOptional: match?.[2] !== undefined, text };
  });
}

/** Joins the parameters that were split at a comma between the angle brackets of a type. */
function withWholeTypes(parts: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && openBrackets(last) > 0) joined[joined.length - 1] = `${last}, ${part}`;
    else joined.push(part);
  }
  return joined;
}

function openBrackets(text: string): number {
  const type = /^[^:=]*:([^]*)$/.exec(text)?.[1]?.replaceAll("=>", "").replace(/=[^]*$/, "") ?? "";
  return type.split("<").length - type.split(">").length;
}

/** The type that is written behind the name of a parameter, or behind its pattern. */
function typeOf({ name, text }: DeclaredParameter): TypeNode | undefined {
  const afterName = name === "" ? splitList(text, 0)?.end : name.length;
  const colon = afterName === undefined ? null : /^\s*\??\s*:/.exec(text.slice(afterName));
  return colon === null ? undefined : typeAt(text, (afterName ?? 0) + colon[0].length);
}

function isObjectWith(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

function keys(names: readonly string[]): string {
  return `${names.length === 1 ? "the key" : "the keys"} ${names.map((name) => `\`${name}\``).join(", ")}`;
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= SHOWN_LENGTH_MAX ? line : line.slice(0, SHOWN_LENGTH_MAX - 1) + "…";
}
