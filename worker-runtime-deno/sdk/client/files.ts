/** Reads what is deployed. */

import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { Code } from "@connectrpc/connect";
import { InvalidRequest } from "./errors.ts";

const SCRIPT = /\.(py|ts|mts|js|mjs)$/;

/** Whether a file is a script by its name; all others are definitions of flows. */
export function isScript(file: string): boolean {
  return SCRIPT.test(basename(file));
}

/** Returns the content of a file. */
export function readText(file: string): string {
  return readFileSync(file, "utf8");
}

/**
 * Returns the contents of those named files that exist beside a definition; the server looks for the others among deployed
 * scripts.
 *
 * @throws {InvalidRequest} A file lies outside the folder of the definition. Definitions come from anywhere, and must not
 * make this machine send unrelated files.
 */
export function readBeside(definition: string, names: readonly string[]): Record<string, string> {
  const folder = dirname(realpathSync(definition));
  const contents: Record<string, string> = {};
  for (const name of names) {
    const file = join(folder, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    if (!realpathSync(file).startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
      const message =
        `The flow names the script "${name}", which lies outside the flow's folder ${folder}, so it was not` +
        " sent. Move or copy it into that folder and name it by its path there.";
      const status = { code: Code.InvalidArgument, message, reason: "", retryAfter: undefined, violations: [] };
      throw new InvalidRequest(status, "DeployFlow", "the scheduler", "");
    }
    contents[name] = readText(file);
  }
  return contents;
}
