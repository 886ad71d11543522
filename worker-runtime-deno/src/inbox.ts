/** Queue of jobs and cancel requests from the host, in their order. */

import type { AnswerMessage, HostMessage, JobMessage } from "./messages.ts";

const READ_BYTES_MAX = 64 * 1024;

/** A source of bytes, such as `Deno.stdin`. */
export interface Reader {
  read(buffer: Uint8Array): Promise<number | null>;
}

/** A job with its abort controller. */
export interface Job {
  readonly message: JobMessage;
  readonly abort: AbortController;
}

/**
 * Reads the host's messages while user code runs.
 *
 * A cancel request applies to the jobs before it: one that waits here, or the running one. It is never kept for later,
 * so that it cannot hit a further attempt of the same job.
 */
export class Inbox {
  readonly #reader: Reader;
  readonly #cancelReason: () => unknown;
  readonly #onAnswer: (message: AnswerMessage) => void;
  readonly #waiting: Job[] = [];
  #running: Job | undefined;
  #wake = (): void => {};
  #isClosed = false;

  /** `onAnswer` receives the host's answers to calls. */
  constructor(reader: Reader, cancelReason: () => unknown, onAnswer: (message: AnswerMessage) => void) {
    this.#reader = reader;
    this.#cancelReason = cancelReason;
    this.#onAnswer = onAnswer;
  }

  /** Reads until the end of file; returns whether a job was unfinished at that time. */
  async read(): Promise<boolean> {
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(READ_BYTES_MAX);
    // A line of many reads is joined once: the event loop belongs to user code.
    let partial: string[] = [];
    for (;;) {
      // deno-lint-ignore no-await-in-loop -- each read needs the one before it
      const length = await this.#reader.read(buffer);
      if (length === null) break;
      const [first = "", ...others] = decoder.decode(buffer.subarray(0, length), { stream: true }).split("\n");
      partial.push(first);
      for (const next of others) {
        this.#receive(JSON.parse(partial.join("")));
        partial = [next];
      }
      if (this.#waiting.length > 0) this.#wake();
    }
    this.#isClosed = true;
    this.#wake();
    return this.#running !== undefined || this.#waiting.length > 0;
  }

  /** Returns the next job if it has arrived; it counts as running until the next call. */
  takeArrived(): Job | undefined {
    this.#running = this.#waiting.shift();
    return this.#running;
  }

  /** Waits for the next job and returns it; undefined after the end of file. */
  async take(): Promise<Job | undefined> {
    this.#running = undefined;
    if (this.#waiting.length === 0 && !this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.takeArrived();
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case "job":
        this.#waiting.push({ message, abort: new AbortController() });
        break;
      case "cancel":
        for (const job of [this.#running, ...this.#waiting]) {
          if (job?.message.id === message.id) job.abort.abort(this.#cancelReason());
        }
        break;
      case "answer":
        this.#onAnswer(message);
        break;
      default:
        throw new TypeError(`The host sent a message of an unknown type: ${JSON.stringify(message satisfies never)}`);
    }
  }
}
