/** What jobs ask of the host while they run. */

import { CallFailed } from "./errors.ts";
import { callFrame } from "./frames.ts";
import type { AnswerMessage } from "./messages.ts";
import { encodeValue } from "./results.ts";

/** Calls of a process that may wait for their answers at once; the host bears with some more. */
const CALLS_MAX = 100;

/** Where frames are written. */
export interface FrameWriter {
  /** Id of the job that runs; empty where none does. */
  readonly runningId: string;
  write(frames: string): void;
}

interface Pending {
  readonly jobId: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends calls, and hands each answer to whoever waits for it. */
export class Calls {
  readonly #output: FrameWriter;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  constructor(output: FrameWriter) {
    this.#output = output;
  }

  /**
   * Asks the host in the name of a job, and waits for the answer.
   *
   * @throws {CallFailed} The host could not do it, too many calls wait, or the job has ended.
   */
  async call(jobId: string, method: string, args: Record<string, unknown>): Promise<unknown> {
    if (this.#output.runningId !== jobId) {
      throw new CallFailed("The job has ended: await what it asks for before main returns.");
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

  /** Takes the host's answer; one that comes after the end of its job is nobody's. */
  answer(message: AnswerMessage): void {
    const pending = this.#pending.get(message.call);
    this.#pending.delete(message.call);
    const { error } = message;
    if (error === undefined) pending?.resolve(message.value);
    else pending?.reject(new CallFailed(`${error.name}: ${error.message}`));
  }

  /** Forgets what the job still waits for; with a reason, whoever waits hears it. */
  end(jobId: string, reason?: unknown): void {
    for (const [number, pending] of this.#pending) {
      if (pending.jobId !== jobId) continue;
      this.#pending.delete(number);
      if (reason !== undefined) pending.reject(reason);
    }
  }
}
