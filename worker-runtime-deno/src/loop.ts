/** Main loop of the process: loads the script, and runs the jobs. */

import { Baseline } from "./baseline.ts";
import { Calls } from "./calls.ts";
import { Canceled } from "./errors.ts";
import { describeFailure } from "./failures.ts";
import { errorFrame, loadErrorFrame, readyFrame } from "./frames.ts";
import { host } from "./host.ts";
import { Inbox, type Reader } from "./inbox.ts";
import type { JobScope } from "./job_scope.ts";
import type { Output } from "./output.ts";
import { Runner } from "./runner.ts";
import { loadScript } from "./script.ts";

const FILES_VARIABLE = "MILLRACE_FILES";

const EXIT_HOST_GONE = 1;
const EXIT_LOAD_ERROR = 3;

/** Runs the jobs of the script at `path` until the end of `reader`. */
export async function run(path: string, reader: Reader, output: Output): Promise<void> {
  const calls = new Calls(output);
  const inbox = new Inbox(reader, () => new Canceled(), (message) => calls.answer(message));
  const runner = await load(path, output, calls);
  output.write(readyFrame(host().runtime));
  inbox.read().then(
    (isUnfinished) => isUnfinished && host().exit(EXIT_HOST_GONE),
    (error) => {
      output.print("stderr", `${error}\n`);
      host().exit(EXIT_HOST_GONE);
    },
  );
  await serve(inbox, runner, output);
}

/** Takes the folder with all files of the version from the environment; undefined if there is only the script. */
function filesFolder(): string | undefined {
  const folder = host().variable(FILES_VARIABLE);
  host().removeVariable(FILES_VARIABLE);
  return folder;
}

async function load(path: string, output: Output, calls: Calls): Promise<Runner> {
  try {
    return new Runner(await loadScript(path, filesFolder()), output, calls);
  } catch (error) {
    output.write(loadErrorFrame(describeFailure(error)));
    return host().exit(EXIT_LOAD_ERROR);
  }
}

/**
 * Runs jobs one after another. The frames that end a job are sent when the next job begins if that has arrived, else at
 * once.
 */
async function serve(inbox: Inbox, runner: Runner, output: Output): Promise<void> {
  const baseline = new Baseline();
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
    baseline.restore();
    // deno-lint-ignore no-await-in-loop -- a process runs one job at a time
    unsent = await runner.run(job);
  }
}

/**
 * Returns the handler of uncaught errors: an error fails the job whose code threw it. If that job has ended, the error
 * is only logged.
 */
export function onUncaught(output: Output): (error: unknown, scope: JobScope | undefined) => void {
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
