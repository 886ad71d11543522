/** What a page wants to know of a workspace. */
export interface Wanted {
  /** Beginnings of types of events, such as `wait.`. */
  readonly types: readonly string[];
  /** Whether it also wants to know that runs have changed. */
  readonly runs?: boolean;
  /** Milliseconds after an event within which what is read may be older than the event. */
  readonly delay?: number;
}

/** The tabs of a person share some answers of the gateway for a quarter of a second. */
const SHARED_MILLIS = 260;

/** After which other steps wait for people than before. */
export const OF_WAITS: Wanted = { types: ["approval.", "wait."] };

/** After which workers, their slots, queues or the lines of limits are others than before. */
export const OF_WORK: Wanted = { types: ["worker."], runs: true, delay: SHARED_MILLIS };
