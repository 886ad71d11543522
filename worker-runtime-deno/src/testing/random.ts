/** Random values that a seed repeats. */
export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed;
  }

  /** The seed of the variable `MILLRACE_TEST_SEED`, or else of the clock; a test that fails shall show it. */
  static ofTest(): Random {
    return new Random(Number(Deno.env.get("MILLRACE_TEST_SEED") ?? Date.now() % 2 ** 31));
  }

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T;
  }

  /** A list with fewer than `lengthMax` items. */
  list<T>(lengthMax: number, item: () => T): T[] {
    return Array.from({ length: Math.floor(this.next() * lengthMax) }, item);
  }
}
