/**
 * Entry of a process of Deno: takes the channels, and runs the jobs.
 *
 * @module
 */

import { denoHost } from "./deno_host.ts";
import { takeIdentity } from "./deno_spare.ts";
import { installGuards } from "./guards.ts";
import { setHost } from "./host.ts";
import { onUncaught, run } from "./loop.ts";
import { captureOutput, Output } from "./output.ts";
import { awaitScript } from "./spare.ts";

/** Path to which the host's shell duplicated our original stdout; Deno cannot duplicate a file descriptor itself. */
const FRAMES_PATH = "/dev/fd/3";

/** First argument of a process that waits for its script. */
const SPARE = "--spare";

const EXIT_OK = 0;
const EXIT_USAGE = 2;

const { exit } = denoHost;
const readStdin = Deno.stdin.read.bind(Deno.stdin);

function openFrames(): Deno.FsFile {
  const file = Deno.openSync(FRAMES_PATH, { write: true });
  Deno.permissions.revokeSync({ name: "write", path: FRAMES_PATH });
  return file;
}

async function start([first, scripts, homes]: readonly string[]): Promise<never> {
  if (first === undefined || (first === SPARE && (scripts === undefined || homes === undefined))) {
    console.error(`usage: deno run … process.ts SCRIPT_PATH | ${SPARE} SCRIPTS_FOLDER HOMES_FOLDER 3>&1 1>&2`);
    return exit(EXIT_USAGE);
  }
  const output = new Output(openFrames());
  captureOutput(output);
  installGuards(onUncaught(output));
  const reader = { read: readStdin };
  if (scripts === undefined || homes === undefined) {
    await run(first, reader, output);
  } else {
    const assignment = await awaitScript(reader);
    if (assignment !== undefined) {
      await takeIdentity(assignment.script, { scripts, homes });
      await run(assignment.script.path, assignment.reader, output);
    }
  }
  return exit(EXIT_OK);
}

setHost(denoHost);
await start(Deno.args);
