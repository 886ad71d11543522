/** Lets waiting code look again at what it waits for. */
export class Wakes {
  readonly #waiters = new Set<() => void>();

  /** Wakes everybody who waits. */
  wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }

  /** Waits for the next call of `wake`, or for the end of the time. */
  wait(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, millis));
      this.#waiters.add(done);
    });
  }
}
