/** Runs one job at a time: calls `main` and creates the frame that ends the job. */

import type { Calls } from "./calls.ts";
import { setContext } from "./current.ts";
import { Canceled } from "./errors.ts";
import { describeFailure } from "./failures.ts";
import { fileBlobs } from "./file_blobs.ts";
import { errorFrame, logFrames, progressFrame, resultFrame } from "./frames.ts";
import { host } from "./host.ts";
import type { Job } from "./inbox.ts";
import { contextOf, type JobHost } from "./job_context.ts";
import { enterScope, JobScope } from "./job_scope.ts";
import type { Call } from "./lock.ts";
import type { Output } from "./output.ts";
import type { Parameters } from "./parameters.ts";
import { endPrograms } from "./raw_output.ts";
import { encodeValue } from "./results.ts";
import type { Script } from "./script.ts";
import { JobSpans } from "./tracing.ts";
import { setVariables } from "./windmill_variables.ts";

/** A script's entry point. */
export type Main = (...args: unknown[]) => unknown;

/** Calls the script's `main` for each job. */
export class Runner {
  readonly #main: Main;
  readonly #parameters: Parameters;
  readonly #isOfWindmill: boolean;
  readonly #output: Output;
  readonly #calls: Calls;

  constructor({ main, parameters, isOfWindmill }: Script, output: Output, calls: Calls) {
    this.#main = main;
    this.#parameters = parameters;
    this.#isOfWindmill = isOfWindmill;
    this.#output = output;
    this.#calls = calls;
  }

  /** Runs the job and returns the frames that end it. Never rejects, whatever user code does. */
  async run(job: Job): Promise<string> {
    const { id } = job.message;
    const scope = new JobScope(id);
    this.#output.runningId = id;
    const cancelCalls = (): void => this.#calls.end(id, job.abort.signal.reason);
    job.abort.signal.addEventListener("abort", cancelCalls);
    const spans = job.message.spans === true
      ? new JobSpans(id, job.message.traceparent, job.message.tracestate)
      : undefined;
    const ending = await this.#ending(job, scope, spans);
    cancelCalls();
    let stopped = scope.end();
    if (scope.firstProgramTime !== undefined) {
      stopped += await endPrograms(scope.firstProgramTime, (method, args) => this.#calls.call(id, method, args));
      cancelCalls();
    }
    this.#output.runningId = "";
    return logFrames(id, "system", stopped) + (spans?.end() ?? "") + ending;
  }

  async #ending(job: Job, scope: JobScope, spans: JobSpans | undefined): Promise<string> {
    const { id, input, shared_folder: shared } = job.message;
    let ending: string;
    try {
      if (shared !== undefined) workBeside(shared);
      if (this.#isOfWindmill) setVariables(job.message);
      const context = contextOf(job.message, job.abort.signal, hostOf(job, this.#output, this.#calls));
      setContext(scope, context);
      const args = this.#parameters.bind(input, context);
      ending = resultFrame(id, encodeValue(await this.#call(args, scope, spans)));
    } catch (error) {
      ending = errorFrame(id, describeFailure(error));
    }
    return job.abort.signal.aborted ? errorFrame(id, describeFailure(new Canceled())) : ending;
  }

  #call(args: readonly unknown[], scope: JobScope, spans: JobSpans | undefined): unknown {
    enterScope(scope);
    spans?.enter();
    try {
      const main = this.#main; // Called without a receiver, like a module's function.
      const value = main(...args);
      return value instanceof Promise ? Promise.race([value, scope.failed]) : value;
    } finally {
      spans?.leave();
      enterScope(undefined);
    }
  }
}

/** Creates the folder `./shared`, where scripts written for Windmill expect it. */
function workBeside(sharedFolder: string): void {
  host().makeFolder(sharedFolder);
  host().chdir(sharedFolder.slice(0, sharedFolder.lastIndexOf("/")));
}

/** Returns the host of a job of this process: the process at the other end of the frames channel. */
function hostOf({ message }: Job, output: Output, calls: Calls): JobHost {
  const isRunning = (): boolean => output.runningId === message.id;
  const call: Call = (method, args) => calls.call(message.id, method, args);
  return {
    workspace: host().variable("MILLRACE_WORKSPACE") ?? "",
    call,
    blobs: fileBlobs(call, host().disk),
    print: (stream, line) => output.print(stream, line),
    progress: (value) => {
      if (isRunning()) output.write(progressFrame(message.id, encodeValue(value, "progress")));
    },
    trace: (text) => {
      if (isRunning()) output.write(logFrames(message.id, "trace", `${text}\n`));
    },
  };
}
