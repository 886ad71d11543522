/** Loads a script from its file. */

import { LoadError } from "./errors.ts";
import { nameFiles } from "./failures.ts";
import { host } from "./host.ts";
import { Conversions, mayConvert } from "./conversions.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import type { Main } from "./runner.ts";
import { isStandardSchema, SCHEMA_EXPORT, validating } from "./standard_schema.ts";
import { registerTracing } from "./tracing.ts";
import { mayNameVariables } from "./windmill_variables.ts";
import { TypeSources } from "./type_sources.ts";

/** A loaded script. */
export interface Script {
  readonly main: Main;
  readonly parameters: Parameters;
  /** Whether it, or a file of its version, may name variables of Windmill. */
  readonly isOfWindmill: boolean;
}

/**
 * Imports the module at `path`, which runs its top level.
 *
 * @param tree the folder with all files of the version; undefined if there is only the script
 */
export async function loadScript(path: string, tree?: string): Promise<Script> {
  const url = fileUrl(path);
  const text = await host().readText(path);
  // What an SDK of the script's own registers must find the place empty.
  if (!text.includes("@opentelemetry/sdk")) registerTracing();
  nameFiles(tree === undefined ? new URL(".", url).href : fileUrl(`${tree}/`));
  const module: { readonly main?: unknown; readonly [SCHEMA_EXPORT]?: unknown } = await import(url);
  if (!isMain(module.main)) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    throw new LoadError(`${name} exports no function main: write \`export function main(…)\`.`);
  }
  if (isGenerator(module.main)) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    throw new LoadError(
      `The function main of ${name} is a generator, whose body would not run: write \`function\`, not \`function*\`, and` +
        " return an array of what it yields.",
    );
  }
  const parameters = await parametersOf(module.main, text, url, tree !== undefined);
  const isOfWindmill = await mayNameVariables(text, tree);
  const script = { main: module.main, parameters, isOfWindmill };
  const schema = module[SCHEMA_EXPORT];
  return isStandardSchema(schema) ? validating(schema, script) : script;
}

/** @param hasFiles whether the version has further files, in which types may be declared */
async function parametersOf(main: Main, text: string, url: string, hasFiles: boolean): Promise<Parameters> {
  if (!hasFiles && !mayConvert(text)) return readParameters(main, text);
  const sources = await TypeSources.of(url, text, async (file) => await host().readText(pathOf(file)));
  const conversions = new Conversions(sources);
  return readParameters(main, text, (type) => conversions.of(type, url));
}

function pathOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname);
}

function fileUrl(path: string): string {
  const url = new URL("file:///");
  url.pathname = path.replaceAll("%", "%25");
  return url.href;
}

function isGenerator(main: Main): boolean {
  return /Generator/.test(Object.prototype.toString.call(main));
}

function isMain(value: unknown): value is Main {
  return typeof value === "function";
}
