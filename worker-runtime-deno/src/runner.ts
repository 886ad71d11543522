/** Runs one job at a time: calls `main` and creates the frame that ends the job. */

import type { Calls } from "./calls.ts";
import type { Context } from "./context.ts";
import { setContext } from "./current.ts";
import { Canceled } from "./errors.ts";
import { describeFailure } from "./failures.ts";
import { errorFrame, logFrames, progressFrame, resultFrame } from "./frames.ts";
import type { Job } from "./inbox.ts";
import { enterScope, JobScope } from "./job_scope.ts";
import { type Call, LOCK_WAIT_SECONDS_MAX, takeLock } from "./lock.ts";
import { newLogger } from "./logger.ts";
import type { Output } from "./output.ts";
import type { Parameters } from "./parameters.ts";
import { encodeValue } from "./results.ts";
import { runData } from "./run_data.ts";
import { resourcesOf, secretsOf, stateOf } from "./values.ts";

/** A script's entry point. */
export type Main = (...args: unknown[]) => unknown;

/** Calls the script's `main` for each job. */
export class Runner {
  readonly #main: Main;
  readonly #parameters: Parameters;
  readonly #output: Output;
  readonly #calls: Calls;

  constructor(main: Main, parameters: Parameters, output: Output, calls: Calls) {
    this.#main = main;
    this.#parameters = parameters;
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
    const ending = await this.#ending(job, scope);
    cancelCalls();
    const stopped = scope.end();
    this.#output.runningId = "";
    return logFrames(id, "system", stopped) + ending;
  }

  async #ending(job: Job, scope: JobScope): Promise<string> {
    const { id, input, shared_folder: shared } = job.message;
    let home: string | undefined;
    let ending: string;
    try {
      if (shared !== undefined) {
        home = Deno.cwd();
        workBeside(shared);
      }
      const context = contextOf(job, this.#output, this.#calls);
      setContext(scope, context);
      const args = this.#parameters.bind(input, context);
      ending = resultFrame(id, encodeValue(await this.#call(args, scope)));
    } catch (error) {
      ending = errorFrame(id, describeFailure(error));
    } finally {
      if (home !== undefined) Deno.chdir(home);
    }
    return job.abort.signal.aborted ? errorFrame(id, describeFailure(new Canceled())) : ending;
  }

  #call(args: readonly unknown[], scope: JobScope): unknown {
    enterScope(scope);
    try {
      const main = this.#main; // Called without a receiver, like a module's function.
      const value = main(...args);
      return value instanceof Promise ? Promise.race([value, scope.failed]) : value;
    } finally {
      enterScope(undefined);
    }
  }
}

/** Creates the folder `./shared`, where scripts written for Windmill expect it. */
function workBeside(sharedFolder: string): void {
  Deno.mkdirSync(sharedFolder, { recursive: true });
  Deno.chdir(sharedFolder.slice(0, sharedFolder.lastIndexOf("/")));
}

function contextOf({ message, abort }: Job, output: Output, calls: Calls): Context {
  const call: Call = (method, args) => calls.call(message.id, method, args);
  const deadline = message.deadline_ms === 0 ? undefined : new Date(Date.now() + message.deadline_ms);
  return {
    jobId: message.id,
    runId: message.run_id,
    step: message.step,
    attempt: message.attempt,
    traceparent: message.traceparent,
    idempotencyKey: message.idempotency_key ?? "",
    sharedFolder: message.shared_folder,
    stepToken: `${message.run_id}/${message.step}`,
    data: runData(call),
    secrets: secretsOf(call),
    resources: resourcesOf(call),
    state: stateOf(call),
    workspace: Deno.env.get("MILLRACE_WORKSPACE") ?? "",
    logger: newLogger((stream, line) => output.print(stream, line)),
    deadline,
    signal: abort.signal,
    progress: (value) => {
      if (output.runningId === message.id) output.write(progressFrame(message.id, encodeValue(value, "progress")));
    },
    trace: (text) => {
      if (output.runningId === message.id) output.write(logFrames(message.id, "trace", `${text}\n`));
    },
    lock: (name, options = {}) => {
      const secondsLeft = deadline === undefined ? LOCK_WAIT_SECONDS_MAX : (deadline.getTime() - Date.now()) / 1000;
      return takeLock(call, name, options, secondsLeft);
    },
  };
}
