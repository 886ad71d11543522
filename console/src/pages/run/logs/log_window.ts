import type { LogChunk } from "#/api/types.ts";

/** A part of a log that was read at once. */
export interface LogPart {
  readonly chunks: readonly LogChunk[];
  /** Whether the log has nothing beyond the part, in the direction in which it was read. */
  readonly isLast: boolean;
}

/** The part of a log that a page has, without gaps: a log may be far larger than what a browser can hold. */
export interface LogWindow {
  readonly parts: readonly (readonly LogChunk[])[];
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

export const EMPTY_WINDOW: LogWindow = { parts: [], isStart: true, isEnd: true };

/** Number of parts that are kept. */
export const PARTS_MAX = 4;
/** Number of chunks after which those that are followed begin a part of their own. */
const PART_CHUNKS = 256;
/** Characters after which they do. */
const PART_CHARACTERS = 1_000_000;

export function chunksOf(window: LogWindow): readonly LogChunk[] {
  return window.parts.flat();
}

/** Position of the first chunk; 0 if there is none. */
export function firstPosition(window: LogWindow): number {
  return window.parts[0]?.[0]?.position ?? 0;
}

/** Position of the last chunk; 0 if there is none. */
export function lastPosition(window: LogWindow): number {
  return window.parts.at(-1)?.at(-1)?.position ?? 0;
}

/** The window with what comes before it; what is far behind is dropped. */
export function withEarlier(window: LogWindow, part: LogPart): LogWindow {
  const parts = part.chunks.length === 0 ? window.parts : [part.chunks, ...window.parts];
  return {
    parts: parts.slice(0, PARTS_MAX),
    isStart: part.isLast,
    isEnd: window.isEnd && parts.length <= PARTS_MAX,
  };
}

/** The window with what comes after it; what is far before is dropped. */
export function withLater(window: LogWindow, part: LogPart): LogWindow {
  const parts = part.chunks.length === 0 ? window.parts : [...window.parts, part.chunks];
  return {
    parts: parts.slice(-PARTS_MAX),
    isStart: window.isStart && parts.length <= PARTS_MAX,
    isEnd: part.isLast,
  };
}

/** The window with chunks that have just arrived at its end. Those that it has are left out. */
export function withArrived(window: LogWindow, arrived: readonly LogChunk[]): LogWindow {
  const last = lastPosition(window);
  const fresh = arrived.filter((chunk) => (chunk.position ?? 0) > last);
  if (fresh.length === 0) {
    return window;
  }
  const open = window.parts.at(-1) ?? [];
  const characters = open.reduce((sum, chunk) => sum + (chunk.text ?? "").length, 0);
  if (window.parts.length > 0 && (open.length >= PART_CHUNKS || characters >= PART_CHARACTERS)) {
    return withLater(window, { chunks: fresh, isLast: true });
  }
  return { ...window, parts: [...window.parts.slice(0, -1), [...open, ...fresh]], isEnd: true };
}
