import { useEffect, useRef } from "react";
import { followStream } from "#/live/event_stream.ts";
import { paced } from "#/live/frames.ts";

/** Least time between two calls about events that come close together. */
const PAUSE_MILLIS = 250;

/**
 * Says that something has happened in a workspace, or may have: also when the stream begins, since what happened between the
 * reading of a list and that moment is not part of it.
 *
 * @param url address of the workspace in the API
 * @param types types of events; none of steps, whose record costs every step of the workspace time
 */
export function useWorkspaceEvents(url: string, types: string, happened: () => void): void {
  const latest = useRef(happened);
  latest.current = happened;
  useEffect(() => {
    const stop = new AbortController();
    const tell = paced(
      () => !stop.signal.aborted && latest.current(),
      () => PAUSE_MILLIS,
    );
    let isFirst = true;
    const handlers = {
      events: (events: readonly { readonly name: string }[]) => {
        if (isFirst || events.some(({ name }) => name !== "checkpoint")) {
          isFirst = false;
          tell();
        }
      },
      connection: () => undefined,
      // Whoever may not follow events sees changes when the list is read again.
      problem: () => undefined,
    };
    void followStream(`${url}/events?type=${encodeURIComponent(types)}`, handlers, stop.signal);
    return () => stop.abort();
  }, [url, types]);
}
