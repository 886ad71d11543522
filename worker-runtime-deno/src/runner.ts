/** Runs one job at a time: calls `main` and makes the frame that ends the job. */

import type { Context } from "./context.ts";
import { Canceled } from "./errors.ts";
import { describeFailure } from "./failures.ts";
import { errorFrame, logFrames, progressFrame, resultFrame } from "./frames.ts";
import type { Job } from "./inbox.ts";
import { enterScope, JobScope } from "./job_scope.ts";
import type { Output } from "./output.ts";
import type { Parameters } from "./parameters.ts";
import { encodeValue } from "./results.ts";

/** A script's entry point. */
export type Main = (...args: unknown[]) => unknown;

/** Calls the script's `main` for each job. */
export class Runner {
  readonly #main: Main;
  readonly #parameters: Parameters;
  readonly #output: Output;

  constructor(main: Main, parameters: Parameters, output: Output) {
    this.#main = main;
    this.#parameters = parameters;
    this.#output = output;
  }

  /** Runs the job and returns the frames that end it. Never rejects, whatever user code does. */
  async run(job: Job): Promise<string> {
    const { id } = job.message;
    const scope = new JobScope(id);
    this.#output.runningId = id;
    const ending = await this.#ending(job, scope);
    const stopped = scope.end();
    this.#output.runningId = "";
    return logFrames(id, "system", stopped) + ending;
  }

  async #ending(job: Job, scope: JobScope): Promise<string> {
    const { id, input } = job.message;
    let ending: string;
    try {
      const args = this.#parameters.bind(input, contextOf(job, this.#output));
      ending = resultFrame(id, encodeValue(await this.#call(args, scope)));
    } catch (error) {
      ending = errorFrame(id, describeFailure(error));
    }
    return job.abort.signal.aborted ? errorFrame(id, describeFailure(new Canceled())) : ending;
  }

  #call(args: readonly unknown[], scope: JobScope): unknown {
    enterScope(scope);
    try {
      const main = this.#main; // Called without a receiver, as a module's function is.
      const value = main(...args);
      return value instanceof Promise ? Promise.race([value, scope.failed]) : value;
    } finally {
      enterScope(undefined);
    }
  }
}

function contextOf({ message, abort }: Job, output: Output): Context {
  return {
    jobId: message.id,
    runId: message.run_id,
    step: message.step,
    attempt: message.attempt,
    traceparent: message.traceparent,
    deadline: new Date(Date.now() + message.deadline_ms),
    signal: abort.signal,
    progress: (value) => {
      if (output.runningId === message.id) output.write(progressFrame(message.id, encodeValue(value, "progress")));
    },
  };
}
