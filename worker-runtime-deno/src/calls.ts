/** Calls of running jobs to the host. */

import { CallFailed } from "./errors.ts";
import { callFrame } from "./frames.ts";
import type { AnswerMessage } from "./messages.ts";
import { encodeValue } from "./results.ts";

/** Largest number of calls of a process that wait for answers at once; the host accepts some more. */
const CALLS_MAX = 100;

/** Destination of frames. */
export interface FrameWriter {
  /** Id of the running job; empty if there is none. */
  readonly runningId: string;
  write(frames: string): void;
}

interface Pending {
  readonly jobId: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends calls and passes each answer to its caller. */
export class Calls {
  readonly #output: FrameWriter;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  constructor(output: FrameWriter) {
    this.#output = output;
  }

  /**
   * Sends a call on behalf of a job, and waits for the answer.
   *
   * @throws {CallFailed} The host could not perform it, too many calls wait, or the job has ended.
   */
  async call(jobId: string, method: string, args: Record<string, unknown>): Promise<unknown> {
    if (this.#output.runningId !== jobId) {
      throw new CallFailed("The job has ended: await its calls before main returns.");
    }
    if (this.#pending.size >= CALLS_MAX) {
      throw new CallFailed(`${CALLS_MAX} calls wait for their answers already: await some before asking for more.`);
    }
    const number = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#output.write(callFrame(jobId, number, method, encodeValue(args, "arguments")));
    this.#pending.set(number, { jobId, resolve, reject });
    return await promise;
  }

  /** Handles the host's answer; an answer that arrives after the end of its job is ignored. */
  answer(message: AnswerMessage): void {
    const pending = this.#pending.get(message.call);
    this.#pending.delete(message.call);
    const { error } = message;
    if (error === undefined) pending?.resolve(message.value);
    else pending?.reject(new CallFailed(`${error.name}: ${error.message}`));
  }

  /** Forgets the pending calls of the job; with a reason, rejects them. */
  end(jobId: string, reason?: unknown): void {
    for (const [number, pending] of this.#pending) {
      if (pending.jobId !== jobId) continue;
      this.#pending.delete(number);
      if (reason !== undefined) pending.reject(reason);
    }
  }
}
