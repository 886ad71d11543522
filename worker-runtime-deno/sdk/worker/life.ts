/** Returns milliseconds of a clock that never goes back. */
export type Clock = () => number;

/**
 * Tells whether jobs may begin.
 *
 * While the worker was frozen or cut off, the scheduler may have ended the session and given its jobs to others. A
 * session lives for its time to live after the worker's last sign of life. The latest one that the worker can be sure
 * of is the newest answered heartbeat, counted from when it was sent. It counts half of the time to live, because a
 * scheduler that dies may not have recorded the last signs.
 */
export class SessionLife {
  readonly #clock: Clock;
  #unanswered: { readonly sequence: bigint; readonly time: number }[] = [];
  #sequence = 0n;
  #ttlMillis = 0;
  #until: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#until = clock();
  }

  /** Whether jobs may begin. */
  get isCertain(): boolean {
    return this.#clock() < this.#until;
  }

  /** Records that a heartbeat is about to be sent, and returns its number. */
  send(): bigint {
    this.#unanswered.push({ sequence: ++this.#sequence, time: this.#clock() });
    return this.#sequence;
  }

  /** Records the answer to a heartbeat. */
  answered(sequence: bigint): void {
    const newest = this.#unanswered.filter((sent) => sent.sequence <= sequence).at(-1);
    this.#unanswered = this.#unanswered.filter((sent) => sent.sequence > sequence);
    if (newest !== undefined) this.#until = newest.time + this.#ttlMillis / 2;
  }

  /** Records that a Hello sent at this time opened a stream. */
  opened(helloTime: number, ttlMillis: number): void {
    this.#unanswered = [];
    this.#ttlMillis = ttlMillis;
    this.#until = helloTime + ttlMillis / 2;
  }

  /** Records the end of the stream: the session may not be resumed in time. */
  interrupted(): void {
    this.#unanswered = [];
    this.#until = this.#clock();
  }
}
