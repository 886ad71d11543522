/** Longest delay of a timer of JavaScript; a longer one would fire at once. */
const TIMER_MILLIS_MAX = 2 ** 31 - 1;

/** Waits for a time, or until the signal is aborted. */
export function sleep(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    signal.addEventListener("abort", done);
  });
}

/** Calls a function after a time of any length; returns a function that cancels the call. */
export function after(millis: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const arm = (left: number): void => {
    timer = setTimeout(
      () => left > TIMER_MILLIS_MAX ? arm(left - TIMER_MILLIS_MAX) : call(),
      Math.min(left, TIMER_MILLIS_MAX),
    );
  };
  arm(millis);
  return () => clearTimeout(timer);
}
