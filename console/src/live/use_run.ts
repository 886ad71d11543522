import { useEffect, useState } from "react";
import type { ProblemError } from "#/api/problem.ts";
import { type Connection, followStream } from "#/live/event_stream.ts";
import { onceAFrame } from "#/live/frames.ts";
import { EMPTY_RUN, type RunModel, withEvents } from "#/live/run_model.ts";
import type { ServerSentEvent } from "#/live/sse_parser.ts";

export interface LiveRun extends RunModel {
  readonly connection: Connection;
  readonly problem: ProblemError | undefined;
}

const START: LiveRun = { ...EMPTY_RUN, connection: "connecting", problem: undefined };

/**
 * Follows a run with its steps.
 *
 * @param url address of the run's events
 * @param round another number follows the run anew, as is needed after an operation on a run that had ended
 */
export function useLiveRun(url: string, round: number): LiveRun {
  const [live, setLive] = useState<LiveRun>(START);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins the stream anew
  useEffect(() => {
    const stop = new AbortController();
    let waiting: ServerSentEvent[] = [];
    // The server tells all steps when a stream begins, so nothing is kept of the one before.
    let isFirst = true;
    const flush = onceAFrame(() => {
      const events = waiting;
      waiting = [];
      if (!stop.signal.aborted && events.length > 0) {
        const from = isFirst;
        isFirst = false;
        setLive((before) => ({ ...before, ...withEvents(from ? { ...before, steps: new Map() } : before, events) }));
      }
    });
    void followStream(
      url,
      {
        events: (events) => {
          waiting.push(...events);
          flush();
        },
        connection: (connection) => {
          if (!stop.signal.aborted) {
            setLive((before) => ({ ...before, connection }));
          }
        },
        problem: (problem) => setLive((before) => ({ ...before, problem })),
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [url, round]);
  return live;
}
