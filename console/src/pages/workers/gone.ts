import { useEffect, useState } from "react";
import type { Worker } from "#/api/types.ts";

/** How long a worker that is gone is still shown. */
export const GONE_SHOWN_MILLIS = 5 * 60_000;
/** Most workers that are remembered. */
const GONE_MAX = 20;

/** A worker that was connected while the page was open, and when the page first missed it. */
export interface GoneWorker {
  readonly worker: Worker;
  readonly goneMillis: number;
}

interface Seen {
  readonly present: readonly Worker[];
  readonly gone: readonly GoneWorker[];
}

export const NOTHING_SEEN: Seen = { present: [], gone: [] };

/** What has been seen once the list is this. A worker of the same name with another session is another worker. */
export function seenNext({ present, gone }: Seen, workers: readonly Worker[], nowMillis: number): Seen {
  const sessions = new Set(workers.map(({ session_id }) => session_id));
  const missed = present.filter(({ session_id }) => !sessions.has(session_id));
  return {
    present: workers,
    gone: [...missed.map((worker) => ({ worker, goneMillis: nowMillis })), ...gone]
      .filter(
        ({ worker, goneMillis }) => !sessions.has(worker.session_id) && nowMillis - goneMillis < GONE_SHOWN_MILLIS,
      )
      .slice(0, GONE_MAX),
  };
}

/** Workers that have left or were lost while the page was open, the latest first. */
export function useGoneWorkers(workers: readonly Worker[] | undefined): readonly GoneWorker[] {
  const [seen, setSeen] = useState(NOTHING_SEEN);
  useEffect(() => {
    if (workers !== undefined) {
      setSeen((before) => seenNext(before, workers, Date.now()));
    }
  }, [workers]);
  return seen.gone;
}
