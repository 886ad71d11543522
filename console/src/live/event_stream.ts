import { callError, ProblemError, problemOf } from "#/api/problem.ts";
import { type ServerSentEvent, SseParser } from "#/live/sse_parser.ts";

/** Whether events arrive: `lost` while the stream waits before it connects again. */
export type Connection = "connecting" | "open" | "lost" | "ended";

export interface StreamHandlers {
  /** Receives the events of one piece of the stream together, so that a page renders once for all of them. */
  readonly events: (events: readonly ServerSentEvent[]) => void;
  readonly connection: (connection: Connection) => void;
  /** Receives why the connection broke, after which the stream tries again. */
  readonly lost?: (error: unknown) => void;
  /** Receives the rejection after which the stream does not try again. */
  readonly problem: (error: ProblemError) => void;
}

const RETRY_MILLIS_MIN = 250;
const RETRY_MILLIS_MAX = 10_000;

/**
 * Follows a stream until it ends or is aborted. If the connection breaks, it connects again with the id of the last event.
 * A rejection with a 4xx status is final, other than 429, which passes.
 *
 * @param after id of the event after which the stream begins
 */
export async function followStream(
  url: string,
  handlers: StreamHandlers,
  signal: AbortSignal,
  after = "",
): Promise<void> {
  let lastId = after;
  let retryMillis = RETRY_MILLIS_MIN;
  handlers.connection("connecting");
  while (!signal.aborted) {
    await untilVisible(signal);
    const seen = whileSeen(signal);
    try {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (lastId !== "") {
        headers["last-event-id"] = lastId;
      }
      const response = await fetch(url, { headers, signal: seen.signal, credentials: "same-origin" });
      if (!response.ok || response.body === null) {
        throw problemOf(await response.json().catch(() => null), response.status);
      }
      handlers.connection("open");
      retryMillis = RETRY_MILLIS_MIN;
      const isComplete = await readEvents(response.body, (events) => {
        lastId = events.at(-1)?.id ?? lastId;
        handlers.events(events);
      });
      if (isComplete) {
        handlers.connection("ended");
        return;
      }
    } catch (error) {
      if (error instanceof ProblemError && isFinal(error.problem.status)) {
        handlers.problem(error);
        handlers.connection("ended");
        return;
      }
      if (!seen.signal.aborted) {
        handlers.lost?.(callError(error));
      }
    } finally {
      seen.end();
    }
    if (signal.aborted) {
      return;
    }
    if (seen.signal.aborted) {
      continue;
    }
    handlers.connection("lost");
    await pause(retryMillis, signal);
    retryMillis = Math.min(retryMillis * 2, RETRY_MILLIS_MAX);
  }
}

const TOO_MANY_REQUESTS = 429;

function isFinal(status: number): boolean {
  return status < 500 && status !== TOO_MANY_REQUESTS;
}

/**
 * Time after which a tab that nobody sees ends its stream. Browsers keep six connections to a server over HTTP/1.1, so
 * the streams of forgotten tabs would block all others. A stream goes on where it was once somebody looks again.
 */
const HIDDEN_MILLIS_MAX = 10_000;

/** Waits until the tab is visible. */
function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!document.hidden || signal.aborted) {
        document.removeEventListener("visibilitychange", look);
        signal.removeEventListener("abort", look);
        resolve();
      }
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}

/** A signal that is aborted with the given one, or once the tab has been hidden for a while. */
function whileSeen(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const seen = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => seen.abort();
  const look = () => {
    clearTimeout(timer);
    timer = document.hidden ? setTimeout(abort, HIDDEN_MILLIS_MAX) : undefined;
  };
  document.addEventListener("visibilitychange", look);
  signal.addEventListener("abort", abort);
  look();
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
    signal.removeEventListener("abort", abort);
  };
  return { signal: seen.signal, end };
}

/** Reads a response to its end; returns whether it was complete. */
async function readEvents(
  body: ReadableStream<Uint8Array>,
  receive: (events: readonly ServerSentEvent[]) => void,
): Promise<boolean> {
  const parser = new SseParser();
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return false;
    }
    const events = parser.push(value);
    const last = events.at(-1);
    const isEnd = last?.name === "end";
    const kept = events.filter((event) => event.name !== "end" && event.name !== "error");
    if (kept.length > 0) {
      receive(kept);
    }
    if (isEnd) {
      return true;
    }
    const failure = events.find((event) => event.name === "error");
    if (failure !== undefined) {
      throw problemOf(JSON.parse(failure.data), 500);
    }
  }
}

/** Waits, and wakes at once when the computer is online again or the stream is aborted. */
function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      window.removeEventListener("online", wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, millis);
    window.addEventListener("online", wake);
    signal.addEventListener("abort", wake);
  });
}
