/** Lets a process wait for its script, with the runtime loaded. */

import type { Reader } from "./inbox.ts";

const READ_BYTES_MAX = 64 * 1024;
const LINE_FEED = 10;

/** Folders that hold those of all scripts of one workspace. A waiting process may read and write below them. */
export interface CommonFolders {
  /** Parent of the folders with the scripts. */
  readonly scripts: string;
  /** Parent of the private folders. */
  readonly homes: string;
}

/** The script that the process is to run. */
export interface Assignment {
  /** Path of the script. */
  readonly path: string;
  /** Source of what comes after the line that names the script. */
  readonly reader: Reader;
}

/** The line with which the host names the script. */
interface ScriptMessage {
  readonly type: "script";
  readonly path: string;
  readonly folder: string;
  readonly home: string;
}

/**
 * Waits for the line that names the script, and gives up the permissions that other scripts of the workspace need. Returns
 * undefined at the end of file.
 */
export async function awaitScript(reader: Reader, common: CommonFolders): Promise<Assignment | undefined> {
  const { line, rest } = await readLine(reader);
  if (line === undefined) return undefined;
  const script: ScriptMessage = JSON.parse(line);
  await confine("read", common.scripts, script.folder);
  await confine("read", common.homes, script.home);
  await confine("write", common.homes, script.home);
  await show("HOME", script.home);
  await show("PWD", script.home);
  Object.defineProperty(Deno, "args", { value: Object.freeze([script.path]), enumerable: true });
  Deno.chdir(script.home);
  return { path: script.path, reader: beginningWith(rest, reader) };
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

async function readLine(reader: Reader): Promise<{ readonly line?: string; readonly rest: Uint8Array }> {
  let read = new Uint8Array();
  const buffer = new Uint8Array(READ_BYTES_MAX);
  for (;;) {
    // deno-lint-ignore no-await-in-loop -- each read needs the one before it
    const length = await reader.read(buffer);
    if (length === null) return { rest: new Uint8Array() };
    const more = new Uint8Array(read.length + length);
    more.set(read);
    more.set(buffer.subarray(0, length), read.length);
    read = more;
    const end = read.indexOf(LINE_FEED);
    if (end >= 0) return { line: new TextDecoder().decode(read.subarray(0, end)), rest: read.subarray(end + 1) };
  }
}

/** A reader of these bytes and then of what `reader` reads. */
function beginningWith(bytes: Uint8Array, reader: Reader): Reader {
  let left = bytes;
  return {
    read: (buffer: Uint8Array): Promise<number | null> => {
      if (left.length === 0) return reader.read(buffer);
      const length = Math.min(left.length, buffer.length);
      buffer.set(left.subarray(0, length));
      left = left.subarray(length);
      return Promise.resolve(length);
    },
  };
}
