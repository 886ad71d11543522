/** Loads a script from its file. */

import { LoadError } from "./errors.ts";
import { nameFiles } from "./failures.ts";
import { host } from "./host.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import type { Main } from "./runner.ts";
import { isStandardSchema, SCHEMA_EXPORT, validating } from "./standard_schema.ts";
import { registerTracing } from "./tracing.ts";

/** A loaded script. */
export interface Script {
  readonly main: Main;
  readonly parameters: Parameters;
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
  const script = { main: module.main, parameters: readParameters(module.main, text) };
  const schema = module[SCHEMA_EXPORT];
  return isStandardSchema(schema) ? validating(schema, script) : script;
}

function fileUrl(path: string): string {
  const url = new URL("file:///");
  url.pathname = path.replaceAll("%", "%25");
  return url.href;
}

function isMain(value: unknown): value is Main {
  return typeof value === "function";
}
