/** Sends calls and waits for their answers. */

import { type CallOptions, Code } from "@connectrpc/connect";
import { connect, type Connection } from "../access/connection.ts";
import type { Access } from "../access/settings.ts";
import { sleep } from "../timing/sleep.ts";
import { type ClientError, errorOf, Unauthenticated } from "./errors.ts";
import { Attempts, type Retries } from "./retries.ts";

/** A signal that is never aborted. */
const NEVER = new AbortController().signal;

/** How long one call may take. */
export interface CallLimits {
  /** Milliseconds that the scheduler may wait before it answers. */
  readonly waitMillis?: number;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A connection with its retries. */
export class Calls {
  /** Address of the scheduler. */
  readonly target: string;
  readonly connection: Connection;
  readonly #access: Access;
  readonly #retries: Retries;
  readonly #timeoutMillis: number;

  constructor(access: Access, retries: Retries, timeoutMillis: number) {
    this.target = access.target;
    this.connection = connect(access);
    this.#access = access;
    this.#retries = retries;
    this.#timeoutMillis = timeoutMillis;
  }

  /**
   * Performs a call that may be sent any number of times.
   *
   * @param name Name of the call, for messages.
   * @param send Sends it once.
   * @throws {ClientError} It failed, and retries did not help.
   */
  async perform<T>(name: string, send: (options: CallOptions) => Promise<T>, limits: CallLimits = {}): Promise<T> {
    const { waitMillis = 0, signal } = limits;
    const attempts = this.attempts(waitMillis);
    for (;;) {
      const headers = this.headers();
      const timeoutMs = attempts.timeout(this.#timeoutMillis + waitMillis);
      try {
        return await send({ headers, timeoutMs, ...(signal === undefined ? {} : { signal }) });
      } catch (failure) {
        signal?.throwIfAborted();
        await this.pause(errorOf(failure, name, this.target), headers, attempts, signal);
      }
    }
  }

  /** Returns the attempts of a new call, which may take this much longer than usual. */
  attempts(moreMillis = 0): Attempts {
    return new Attempts(this.#retries, moreMillis);
  }

  /** Returns what calls show. */
  headers(): Record<string, string> {
    return this.#access.tokens.headers();
  }

  /**
   * Waits before the next attempt.
   *
   * @throws {ClientError} The error itself, if there is to be none.
   */
  async pause(
    error: ClientError,
    shown: Record<string, string>,
    attempts: Attempts,
    signal: AbortSignal = NEVER,
  ): Promise<void> {
    if (error instanceof Unauthenticated && this.#access.tokens.renew(shown)) return;
    await sleep(attempts.delayAfter(error), signal);
    signal.throwIfAborted();
  }

  /** Returns the status of a stream that ended before its run. */
  static readonly streamEnded = {
    code: Code.Unavailable,
    message: "The stream of events ended before the run.",
    reason: "",
    retryAfter: undefined,
    violations: [],
  } as const;
}
