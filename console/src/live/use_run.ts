import { useEffect, useState } from "react";
import type { ProblemError } from "#/api/problem.ts";
import { type Connection, followStream } from "#/live/event_stream.ts";
import { paced } from "#/live/frames.ts";
import { EMPTY_RUN, RunCollector, type RunModel } from "#/live/run_model.ts";

export interface LiveRun extends RunModel {
  readonly connection: Connection;
  readonly problem: ProblemError | undefined;
  /** Why the connection broke, while it is lost. */
  readonly failure: unknown;
}

/** A page with many steps takes long to render, so it does so seldom: one with 10,000 steps after 100 ms. */
const STEPS_A_MILLI = 100;
const PAUSE_MILLIS_MAX = 2_000;

const START: LiveRun = { ...EMPTY_RUN, connection: "connecting", problem: undefined, failure: undefined };

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
    // The server tells all steps when a stream begins, so nothing is kept of the one before.
    const collector = new RunCollector();
    const show = paced(
      () => {
        if (!stop.signal.aborted) {
          setLive((before) => ({ ...before, ...collector.model(before.run) }));
        }
      },
      () => Math.min(PAUSE_MILLIS_MAX, collector.size / STEPS_A_MILLI),
    );
    void followStream(
      url,
      {
        events: (events) => {
          collector.add(events);
          show();
        },
        connection: (connection) => {
          if (!stop.signal.aborted) {
            setLive((before) => ({
              ...before,
              connection,
              failure: connection === "lost" ? before.failure : undefined,
              problem: connection === "open" ? undefined : before.problem,
            }));
          }
        },
        lost: (failure) => {
          if (!stop.signal.aborted) {
            setLive((before) => ({ ...before, failure }));
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
