/** Lets a process wait for its script, with the runtime loaded. */

import type { Reader } from "./inbox.ts";

const READ_BYTES_MAX = 64 * 1024;
const LINE_FEED = 10;

/** The line with which the host names the script. */
export interface ScriptMessage {
  readonly type: "script";
  readonly path: string;
  /** Folder with only the script and its files. */
  readonly folder: string;
  /** Private folder of the process, in which it works. */
  readonly home: string;
  /** Folder with all files of the version; undefined if there is only the script. */
  readonly files?: string;
}

/** The script that the process is to run. */
export interface Assignment {
  readonly script: ScriptMessage;
  /** Source of what comes after the line that names the script. */
  readonly reader: Reader;
}

/** Waits for the line that names the script. Returns undefined at the end of file. */
export async function awaitScript(reader: Reader): Promise<Assignment | undefined> {
  const { line, rest } = await readLine(reader);
  return line === undefined ? undefined : { script: JSON.parse(line), reader: beginningWith(rest, reader) };
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
