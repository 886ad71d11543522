/** One attempt in a handler, from its begin to its end. */

import { mkdirSync } from "node:fs";
import { Canceled, InputError } from "../../src/errors.ts";
import { encodeValue } from "../../src/results.ts";
import { describeFailure } from "./failure.ts";
import { type HandlerContext, newContext, runWith } from "./handler_context.ts";
import { JobApi, type JobApiConnection } from "./job_api.ts";
import type { LeasedJob } from "./leased_job.ts";
import { fillSecrets } from "./secrets.ts";

/** A function that handles jobs of one name. */
export type Handler<Input = unknown> = (input: Input, ctx: HandlerContext) => unknown;

/** An attempt that has begun. To interrupt it, its `AbortSignal` is aborted. */
export class Attempt {
  readonly #job: LeasedJob;
  readonly #handler: Handler;
  readonly #api: JobApi;
  readonly #abort = new AbortController();

  constructor(job: LeasedJob, handler: Handler, connection: () => JobApiConnection) {
    this.#job = job;
    this.#handler = handler;
    this.#api = new JobApi(job, this.#abort.signal, connection);
  }

  /** Runs the attempt to its end. Never rejects, whatever user code does. */
  async run(): Promise<void> {
    try {
      this.#job.succeed(encodeValue(await this.#handle()));
    } catch (error) {
      this.#job.fail(describeFailure(error));
    }
  }

  /** Asks user code to stop; any number of times. */
  interrupt(): void {
    this.#abort.abort(new Canceled());
  }

  async #handle(): Promise<unknown> {
    const input = await this.#input();
    this.#abort.signal.throwIfAborted();
    if (this.#job.sharedFolder !== undefined) mkdirSync(this.#job.sharedFolder, { mode: 0o700, recursive: true });
    this.#job.started();
    const context = newContext(this.#job, this.#api, this.#abort.signal);
    return await runWith(context, () => this.#handler(input, context));
  }

  /** Returns the input with its secrets. */
  async #input(): Promise<unknown> {
    const { input: bytes, hasSecrets } = this.#job.lease;
    const input = parse(bytes.length === 0 ? "{}" : new TextDecoder().decode(bytes));
    return hasSecrets ? await fillSecrets(this.#job, this.#api, input) : input;
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new InputError(`The input cannot be read as JSON: ${String(error)}`);
  }
}
