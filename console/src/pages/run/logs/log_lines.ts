import type { LogChunk } from "#/api/types.ts";

/** One line that a job printed. */
export interface LogLine {
  /** Names the line within the log of its run: the position of its chunk and its number there, as in `42-3`. */
  readonly key: string;
  /** Position of the chunk in which the line begins. */
  readonly position: number;
  readonly step: string;
  readonly stream: string;
  readonly time: string;
  readonly text: string;
}

/** Longest line that is shown as one; the rest of it becomes lines of its own. */
const LINE_CHARACTERS_MAX = 20_000;

/** The lines of chunks, which may end within a line. Chunks of several jobs may alternate. */
export function linesOf(chunks: readonly LogChunk[]): readonly LogLine[] {
  const lines: LogLine[] = [];
  /** Places of lines that have no end yet, by job and stream. */
  const open = new Map<string, number>();
  for (const chunk of chunks) {
    const source = `${chunk.job_id} ${chunk.attempt} ${chunk.stream}`;
    const pieces = (chunk.text ?? "").split("\n");
    pieces.forEach((piece, index) => {
      const text = piece.endsWith("\r") ? piece.slice(0, -1) : piece;
      const isLast = index === pieces.length - 1;
      if (!isLast || text !== "") {
        append(lines, open, source, chunk, index, text);
      }
      if (!isLast) {
        open.delete(source);
      }
    });
  }
  return lines;
}

function append(
  lines: LogLine[],
  open: Map<string, number>,
  source: string,
  chunk: LogChunk,
  index: number,
  text: string,
): void {
  const at = open.get(source);
  const begun = at === undefined ? undefined : lines[at];
  if (at !== undefined && begun !== undefined && begun.text.length + text.length <= LINE_CHARACTERS_MAX) {
    lines[at] = { ...begun, text: begun.text + text };
    return;
  }
  const position = chunk.position ?? 0;
  for (let from = 0; from === 0 || from < text.length; from += LINE_CHARACTERS_MAX) {
    lines.push({
      key: `${position}-${index}${from === 0 ? "" : `+${from}`}`,
      position,
      step: chunk.step ?? "",
      stream: chunk.stream ?? "stdout",
      time: chunk.time ?? "",
      text: text.slice(from, from + LINE_CHARACTERS_MAX),
    });
  }
  open.set(source, lines.length - 1);
}
