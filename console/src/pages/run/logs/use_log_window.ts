import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LogChunk } from "#/api/types.ts";
import { followStream } from "#/live/event_stream.ts";
import { onceAFrame } from "#/live/frames.ts";
import type { LogBounds, RunLog } from "#/pages/run/logs/log_requests.ts";
import {
  EMPTY_WINDOW,
  firstPosition,
  type LogWindow,
  lastPosition,
  withArrived,
  withEarlier,
  withLater,
} from "#/pages/run/logs/log_window.ts";

/** A place of a log to go to. */
export type LogPlace = "start" | "end" | number;

export interface ShownLog {
  readonly window: LogWindow;
  readonly bounds: LogBounds;
  readonly isLoaded: boolean;
  readonly problem: unknown;
  /** Replaces the window by the one around a place. */
  readonly goTo: (place: LogPlace) => Promise<void>;
  readonly loadEarlier: () => void;
  readonly loadLater: () => void;
}

interface State {
  readonly window: LogWindow;
  readonly bounds: LogBounds;
  readonly isLoaded: boolean;
  readonly problem: unknown;
}

const START: State = { window: EMPTY_WINDOW, bounds: { first: 0, last: 0 }, isLoaded: false, problem: undefined };

/**
 * The part of a log that is shown, which moves through the log as somebody scrolls.
 *
 * @param url address of the log with its filter, for following
 * @param isFollowing whether the window stays at the end and takes up what arrives
 * @param isHeld tells whether the lines must not move at the moment
 */
export function useLogWindow(
  log: RunLog,
  url: string,
  begin: LogPlace,
  isFollowing: boolean,
  isHeld: () => boolean,
): ShownLog {
  const [state, setState] = useState(START);
  const latest = useRef(state);
  latest.current = state;
  const held = useRef(isHeld);
  held.current = isHeld;
  const stop = useRef(new AbortController());
  const isLoading = useRef(false);

  const change = useCallback(async (act: (signal: AbortSignal) => Promise<Partial<State>>) => {
    const { signal } = stop.current;
    isLoading.current = true;
    try {
      const changed = await act(signal);
      if (!signal.aborted) {
        setState((before) => ({ ...before, ...changed, isLoaded: true, problem: undefined }));
      }
    } catch (error) {
      if (!signal.aborted) {
        setState((before) => ({ ...before, isLoaded: true, problem: error }));
      }
    } finally {
      if (!signal.aborted) {
        isLoading.current = false;
      }
    }
  }, []);

  const goTo = useCallback(
    (place: LogPlace) => {
      stop.current.abort();
      stop.current = new AbortController();
      return change((signal) => around(log, place, signal));
    },
    [log, change],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is where a log is opened, not where it stays
  useEffect(() => {
    setState(START);
    void goTo(begin);
    return () => stop.current.abort();
  }, [goTo]);

  const loadEarlier = useCallback(() => {
    const { window } = latest.current;
    if (!isLoading.current && !window.isStart) {
      void change(async (signal) => {
        const part = await log.before(firstPosition(window), signal);
        return { window: withEarlier(window, part), bounds: part.bounds };
      });
    }
  }, [log, change]);
  const loadLater = useCallback(() => {
    const { window } = latest.current;
    if (!isLoading.current && !window.isEnd) {
      void change(async (signal) => {
        const part = await log.after(lastPosition(window), signal);
        return { window: withLater(window, part), bounds: part.bounds };
      });
    }
  }, [log, change]);

  const follows = isFollowing && state.isLoaded && state.window.isEnd;
  useEffect(() => {
    if (!follows) {
      return;
    }
    const ended = new AbortController();
    let arrived: LogChunk[] = [];
    const show = onceAFrame(() => {
      if (ended.signal.aborted) {
        return;
      }
      if (held.current()) {
        setTimeout(show, HELD_MILLIS);
        return;
      }
      const chunks = arrived;
      arrived = [];
      setState((before) => {
        const window = withArrived(before.window, chunks);
        return {
          ...before,
          window,
          bounds: { first: before.bounds.first || firstPosition(window), last: lastPosition(window) },
        };
      });
    });
    void followStream(
      url,
      {
        events: (events) => {
          for (const event of events) {
            if (event.name === "log") {
              arrived.push({ ...(JSON.parse(event.data) as LogChunk), position: Number(event.id) });
            }
          }
          arrived = arrived.slice(-ARRIVED_MAX);
          show();
        },
        connection: () => undefined,
        problem: (problem) => setState((before) => ({ ...before, problem })),
      },
      ended.signal,
      String(lastPosition(latest.current.window)),
    );
    return () => ended.abort();
  }, [follows, url]);

  return useMemo(() => ({ ...state, goTo, loadEarlier, loadLater }), [state, goTo, loadEarlier, loadLater]);
}

/** Time between two looks at whether lines may move again. */
const HELD_MILLIS = 300;
/** Number of chunks that wait while lines must not move; the oldest are left out. */
const ARRIVED_MAX = 1_000;

async function around(log: RunLog, place: LogPlace, signal: AbortSignal): Promise<Partial<State>> {
  if (place === "end") {
    const part = await log.before(0, signal);
    return { window: withEarlier({ ...EMPTY_WINDOW, isEnd: true }, part), bounds: part.bounds };
  }
  const part = await log.after(place === "start" ? 0 : Math.max(0, place - 1), signal);
  const window = withLater({ ...EMPTY_WINDOW, isStart: place === "start" }, part);
  if (place === "start") {
    return { window, bounds: part.bounds };
  }
  const before = await log.before(place, signal);
  return { window: withEarlier(window, before), bounds: part.bounds };
}
