import { useEffect, useRef } from "react";
import type { Run } from "#/api/types.ts";
import { type Connection, followStream } from "#/live/event_stream.ts";
import type { ServerSentEvent } from "#/live/sse_parser.ts";

/**
 * Path of the stream with all that pages which show more than runs want to know: changes of runs, and what happens to waits
 * and workers. They share it, since a browser has six connections to a server over HTTP/1.1.
 */
export const SHARED_FEED = `/runs/events?type=${encodeURIComponent("approval.*,wait.*,worker.*")}`;

/** What a reader of runs that change wants to know. */
export interface RunFeedHandlers {
  /** Receives runs that have changed, whether they fit the filter in their present state or not. */
  readonly runs: (runs: readonly Run[]) => void;
  /** Says that changes may be missing, also when a stream begins: the list has to be read again. */
  readonly gap: () => void;
  /** Receives the types of events that the stream has beside runs, such as `wait.began`. */
  readonly happened?: (types: readonly string[]) => void;
  readonly connection: (connection: Connection) => void;
}

interface Feed {
  readonly readers: Set<RunFeedHandlers>;
  readonly stop: AbortController;
  connection: Connection;
}

/** The open streams by their addresses: lists on a page that show the same runs share one. */
const feeds = new Map<string, Feed>();

/**
 * Follows runs as they change.
 *
 * @param url address of the stream with its filter, or undefined to follow nothing
 */
export function useRunFeed(url: string | undefined, handlers: RunFeedHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    if (url === undefined) {
      return;
    }
    const reader: RunFeedHandlers = {
      runs: (runs) => latest.current.runs(runs),
      gap: () => latest.current.gap(),
      happened: (types) => latest.current.happened?.(types),
      connection: (connection) => latest.current.connection(connection),
    };
    return join(url, reader);
  }, [url]);
}

/** Adds a reader to a stream, which is opened for the first and closed after the last. Returns what removes the reader. */
export function join(url: string, reader: RunFeedHandlers): () => void {
  const feed = feeds.get(url) ?? open(url);
  feed.readers.add(reader);
  reader.connection(feed.connection);
  return () => {
    feed.readers.delete(reader);
    if (feed.readers.size === 0) {
      feed.stop.abort();
      if (feeds.get(url) === feed) {
        feeds.delete(url);
      }
    }
  };
}

function open(url: string): Feed {
  const feed: Feed = { readers: new Set(), stop: new AbortController(), connection: "connecting" };
  feeds.set(url, feed);
  const tell = (act: (reader: RunFeedHandlers) => void) => {
    if (!feed.stop.signal.aborted) {
      for (const reader of [...feed.readers]) {
        act(reader);
      }
    }
  };
  let isFirst = true;
  void followStream(
    url,
    {
      events: (events) => {
        const isMissing = isFirst || events.some((event) => event.name === "gap");
        isFirst = false;
        const runs = changedRuns(events);
        if (runs.length > 0) {
          tell((reader) => reader.runs(runs));
        }
        const types = eventTypes(events);
        if (types.length > 0) {
          tell((reader) => reader.happened?.(types));
        }
        if (isMissing) {
          tell((reader) => reader.gap());
        }
      },
      connection: (connection) => {
        feed.connection = connection;
        tell((reader) => reader.connection(connection));
      },
      problem: () => undefined,
    },
    feed.stop.signal,
  );
  return feed;
}

function changedRuns(events: readonly ServerSentEvent[]): Run[] {
  return events
    .filter((event) => event.name === "run" || event.name === "left")
    .map((event) => JSON.parse(event.data) as Run);
}

const TYPE_PREFIX = /^dev\.millrace\./;

function eventTypes(events: readonly ServerSentEvent[]): string[] {
  return events
    .filter((event) => event.name === "event")
    .map((event) => String((JSON.parse(event.data) as { type?: unknown }).type).replace(TYPE_PREFIX, ""));
}
