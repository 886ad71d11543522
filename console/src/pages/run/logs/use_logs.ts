import { useEffect, useState } from "react";
import type { ProblemError } from "#/api/problem.ts";
import type { LogChunk } from "#/api/types.ts";
import { type Connection, followStream } from "#/live/event_stream.ts";
import { onceAFrame } from "#/live/frames.ts";
import { type LogLine, LogLines } from "#/pages/run/logs/log_lines.ts";

export interface LiveLogs {
  /** Another array after each change. */
  readonly lines: readonly LogLine[];
  readonly dropped: number;
  readonly connection: Connection;
  readonly problem: ProblemError | undefined;
}

const START: LiveLogs = { lines: [], dropped: 0, connection: "connecting", problem: undefined };

/** Follows what the jobs of a run print, from the beginning. */
export function useLiveLogs(url: string): LiveLogs {
  const [live, setLive] = useState(START);
  useEffect(() => {
    const stop = new AbortController();
    const log = new LogLines();
    setLive(START);
    const show = onceAFrame(() => {
      if (!stop.signal.aborted) {
        log.trim();
        setLive((before) => ({ ...before, lines: log.lines.slice(), dropped: log.dropped }));
      }
    });
    void followStream(
      url,
      {
        events: (events) => {
          for (const event of events) {
            if (event.name === "log") {
              log.push(JSON.parse(event.data) as LogChunk);
            }
          }
          show();
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
  }, [url]);
  return live;
}
