/**
 * Main loop of the process: takes the channels, loads the script, and runs the jobs.
 *
 * @module
 */

import { Calls } from "./calls.ts";
import { Canceled } from "./errors.ts";
import { describeFailure } from "./failures.ts";
import { errorFrame, loadErrorFrame, readyFrame } from "./frames.ts";
import { installGuards } from "./guards.ts";
import { Inbox, type Reader } from "./inbox.ts";
import type { JobScope } from "./job_scope.ts";
import { captureOutput, Output } from "./output.ts";
import { Runner } from "./runner.ts";
import { loadScript } from "./script.ts";
import { awaitScript } from "./spare.ts";

/** Path to which the host's shell duplicated our original stdout; Deno cannot duplicate a file descriptor itself. */
const FRAMES_PATH = "/dev/fd/3";

/** First argument of a process that waits for its script. */
const SPARE = "--spare";

const FILES_VARIABLE = "MILLRACE_FILES";

const EXIT_OK = 0;
const EXIT_HOST_GONE = 1;
const EXIT_USAGE = 2;
const EXIT_LOAD_ERROR = 3;

const exit = Deno.exit;
const readStdin = Deno.stdin.read.bind(Deno.stdin);

async function run(path: string, reader: Reader, output: Output): Promise<void> {
  const calls = new Calls(output);
  const inbox = new Inbox(reader, () => new Canceled(), (message) => calls.answer(message));
  const runner = await load(path, output, calls);
  output.write(readyFrame(`deno ${Deno.version.deno}`));
  inbox.read().then(
    (isUnfinished) => isUnfinished && exit(EXIT_HOST_GONE),
    (error) => {
      output.print("stderr", `${error}\n`);
      exit(EXIT_HOST_GONE);
    },
  );
  await serve(inbox, runner, output);
}

/** Takes the folder with all files of the version from the environment; undefined if there is only the script. */
function filesFolder(): string | undefined {
  const folder = Deno.env.get(FILES_VARIABLE);
  Deno.env.delete(FILES_VARIABLE);
  return folder;
}

async function load(path: string, output: Output, calls: Calls): Promise<Runner> {
  try {
    const { main, parameters } = await loadScript(path, filesFolder());
    return new Runner(main, parameters, output, calls);
  } catch (error) {
    output.write(loadErrorFrame(describeFailure(error)));
    return exit(EXIT_LOAD_ERROR);
  }
}

/**
 * Runs jobs one after another. The frames that end a job are sent when the next job begins if that has arrived, else at
 * once.
 */
async function serve(inbox: Inbox, runner: Runner, output: Output): Promise<void> {
  let unsent = "";
  for (;;) {
    let job = inbox.takeArrived();
    if (job === undefined) {
      output.write(unsent);
      unsent = "";
      // deno-lint-ignore no-await-in-loop -- a process runs one job at a time
      job = await inbox.take();
    }
    if (job === undefined) return;
    const { id } = job.message;
    if (job.abort.signal.aborted) {
      unsent += errorFrame(id, describeFailure(new Canceled()));
      continue;
    }
    output.write(unsent);
    // deno-lint-ignore no-await-in-loop -- a process runs one job at a time
    unsent = await runner.run(job);
  }
}

/**
 * Returns the handler of uncaught errors: an error fails the job whose code threw it. If that job has ended, the error
 * is only logged.
 */
function onUncaught(output: Output): (error: unknown, scope: JobScope | undefined) => void {
  return (error, scope) => {
    if (scope !== undefined && !scope.isEnded) {
      scope.fail(error);
      return;
    }
    const origin = scope === undefined ? "Code outside of any job" : `Code that job ${scope.jobId} had left behind`;
    const { name, message, stack } = describeFailure(error);
    output.print("system", `${origin} failed: ${stack || `${name}: ${message}`}\n`);
  };
}

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
    const assignment = await awaitScript(reader, { scripts, homes });
    if (assignment !== undefined) await run(assignment.path, assignment.reader, output);
  }
  return exit(EXIT_OK);
}

await start(Deno.args);
