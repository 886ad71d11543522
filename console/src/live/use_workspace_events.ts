import { useEffect, useRef } from "react";
import { paced } from "#/live/frames.ts";
import { join, SHARED_FEED } from "#/live/run_feed.ts";
import type { Wanted } from "#/live/wanted.ts";

/** Least time between two calls about events that come close together. */
const PAUSE_MILLIS = 250;
/** Least time between two calls about runs that change: thousands may do so in a second. */
const RUNS_PAUSE_MILLIS = 1_100;

/**
 * Says that something has happened in a workspace, or may have: also when the stream begins, since what happened between the
 * reading of a list and that moment is not part of it. Whoever may not follow events sees changes when the list is read again.
 *
 * @param url address of the workspace in the API
 * @param wanted the same object at each rendering
 */
export function useWorkspaceEvents(url: string, wanted: Wanted, happened: () => void): void {
  const latest = useRef(happened);
  latest.current = happened;
  useEffect(
    () =>
      join(
        url + SHARED_FEED,
        readerOf(wanted, () => latest.current()),
      ),
    [url, wanted],
  );
}

/** The reader of a feed that calls a function, in time, about what is wanted. */
export function readerOf({ types, runs = false, delay = 0 }: Wanted, happened: () => void) {
  const later = () => {
    setTimeout(happened, delay);
  };
  const atOnce = () => {
    happened();
    if (delay > 0) {
      later();
    }
  };
  const tell = paced(atOnce, () => PAUSE_MILLIS + delay);
  // Runs are mostly accepted and started at the same time, so one look after the delay sees both.
  const tellOfRuns = paced(later, () => RUNS_PAUSE_MILLIS);
  return {
    runs: () => runs && tellOfRuns(),
    gap: tell,
    happened: (those: readonly string[]) => {
      if (those.some((type) => types.some((beginning) => type.startsWith(beginning)))) {
        tell();
      }
    },
    connection: () => undefined,
  };
}
