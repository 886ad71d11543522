/** Lets a process of Deno that has waited look like one that was started for its script. */

import type { ScriptMessage } from "./spare.ts";

/** Folders that hold those of all scripts of one workspace. A waiting process may read and write below them. */
export interface CommonFolders {
  /** Parent of the folders with the scripts. */
  readonly scripts: string;
  /** Parent of the private folders. */
  readonly homes: string;
}

/** Takes over arguments and working folder, and gives up the permissions that other scripts of the workspace need. */
export async function takeIdentity(script: ScriptMessage, common: CommonFolders): Promise<void> {
  await confine("read", common.scripts, script.folder);
  await confine("read", common.homes, script.home);
  await confine("write", common.homes, script.home);
  await show("HOME", script.home);
  await show("PWD", script.home);
  Object.defineProperty(Deno, "args", { value: Object.freeze([script.path]), enumerable: true });
  Deno.chdir(script.home);
}

/**
 * Exchanges the permission for a folder for that of one folder in it. A request for what is allowed already adds it to
 * the list of permissions, from which the wider one can then be taken.
 */
async function confine(name: "read" | "write", common: string, own: string): Promise<void> {
  const kept = await Deno.permissions.request({ name, path: own });
  const given = Deno.permissions.revokeSync({ name, path: common });
  if (kept.state !== "granted" || given.state === "granted") {
    throw new Error(`The permission to ${name} ${common} could not be exchanged for that of ${own}.`);
  }
}

/** Sets an environment variable as for a process that was started for the script, if the script can read it at all. */
async function show(variable: string, value: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "env", variable });
  if (state === "granted") Deno.env.set(variable, value);
}
