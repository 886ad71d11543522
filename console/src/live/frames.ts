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
