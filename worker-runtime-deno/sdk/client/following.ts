import { isEnd, type RunEvent } from "./models.ts";

/** Place in the events of one run. A new stream repeats the present state; `isNews` lets only news through. */
export class Following {
  /** Position of the last piece of log. */
  position = 0n;
  /** Whether the run has ended. */
  hasEnded = false;
  readonly #known = new Map<string, string>();

  /** Records the event; returns whether it is news. */
  isNews(event: RunEvent): boolean {
    if (event.type === "log") {
      if (event.position <= this.position) return false;
      this.position = event.position;
      return true;
    }
    if (event.type === "run") this.hasEnded = isEnd(event.state);
    const key = event.type === "run" ? "run" : `step ${event.jobId}`;
    const text = JSON.stringify(event);
    if (this.#known.get(key) === text) return false;
    this.#known.set(key, text);
    return true;
  }
}
