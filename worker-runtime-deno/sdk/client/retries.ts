/** Decides whether and when a failed call is tried again. */

import type { ClientError } from "./errors.ts";

/** How calls are repeated. Every call is safe to repeat: those that change something carry a request id. */
export interface Retries {
  /** Most attempts of one call, the first included; 1 repeats nothing. 12 by default. */
  readonly attemptsMax?: number;
  /** Longest time from the first attempt to the end of the last; 60 by default. */
  readonly secondsMax?: number;
  /** Seconds before the second attempt; later delays double. 0.1 by default. */
  readonly delayMin?: number;
  /** Longest delay in seconds, unless the scheduler asks for a longer one; 5 by default. */
  readonly delayMax?: number;
}

/** Attempts of one call. */
export class Attempts {
  readonly #limits: Required<Retries>;
  readonly #clock: () => number;
  readonly #random: () => number;
  readonly #millisMax: number;
  #deadline: number;
  #failures = 0;

  /**
   * @param retries The limits.
   * @param moreMillis Time that this call may take in addition.
   * @param clock Monotonic milliseconds.
   * @param random Numbers from 0 to 1, for the jitter.
   */
  constructor(retries: Retries, moreMillis: number, clock = () => performance.now(), random = Math.random) {
    this.#limits = { attemptsMax: 12, secondsMax: 60, delayMin: 0.1, delayMax: 5, ...retries };
    this.#clock = clock;
    this.#random = random;
    this.#millisMax = this.#limits.secondsMax * 1000 + moreMillis;
    this.#deadline = clock() + this.#millisMax;
  }

  /** Returns the milliseconds for the next attempt, at most `longest`. */
  timeout(longest: number): number {
    return Math.max(1, Math.ceil(Math.min(longest, this.#deadline - this.#clock())));
  }

  /** Records that a stream has delivered something: its attempts count anew. */
  progressed(): void {
    this.#failures = 0;
    this.#deadline = this.#clock() + this.#millisMax;
  }

  /**
   * Returns the milliseconds to wait before the next attempt.
   *
   * @throws {ClientError} The error itself, if another attempt is pointless or comes too late.
   */
  delayAfter(error: ClientError): number {
    this.#failures++;
    if (!error.mayHelp || this.#failures >= this.#limits.attemptsMax) throw error;
    const due = Math.min(this.#limits.delayMax, this.#limits.delayMin * 2 ** Math.min(this.#failures - 1, 30));
    const delay = Math.max(due / 2 * (1 + this.#random()), error.retryAfter ?? 0) * 1000;
    if (this.#clock() + delay >= this.#deadline) throw error;
    return delay;
  }
}
