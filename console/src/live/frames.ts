/** Calls a function once in the next frame, however often that is asked for, also in a tab that nobody sees. */
export function onceAFrame(act: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (!isPlanned) {
      isPlanned = true;
      const run = () => {
        isPlanned = false;
        act();
      };
      if (document.hidden) {
        setTimeout(run, 250);
      } else {
        requestAnimationFrame(run);
      }
    }
  };
}

/**
 * Calls a function in the next frame, and then after a pause, however often that is asked for.
 *
 * @param pause milliseconds until the next call, as it is when that is asked for
 */
export function paced(act: () => void, pause: () => number): () => void {
  const soon = onceAFrame(act);
  let last = Number.NEGATIVE_INFINITY;
  let isPlanned = false;
  return () => {
    if (isPlanned) {
      return;
    }
    isPlanned = true;
    const run = () => {
      isPlanned = false;
      last = performance.now();
      soon();
    };
    setTimeout(run, Math.max(0, last + pause() - performance.now()));
  };
}
