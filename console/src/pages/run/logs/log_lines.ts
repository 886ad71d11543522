import type { LogChunk } from "#/api/types.ts";

/** One line that a job printed. */
export interface LogLine {
  /** Counts from 1 in the order in which lines arrived. */
  readonly number: number;
  readonly step: string;
  readonly stream: string;
  readonly time: string;
  readonly text: string;
}

/** Most lines that are kept; the oldest go first. */
export const LINES_MAX = 200_000;
/** Longest line that is kept as one; the rest of it becomes lines of its own. */
const LINE_CHARACTERS_MAX = 20_000;

/** Makes lines of chunks, which may end within a line. Chunks of several jobs may alternate. */
export class LogLines {
  private kept: LogLine[] = [];
  private first = 1;
  /** Places in `kept` of lines that have no end yet, by job and stream. */
  private readonly open = new Map<string, number>();

  get lines(): readonly LogLine[] {
    return this.kept;
  }

  /** How many lines are no longer kept. */
  get dropped(): number {
    return this.first - 1;
  }

  push(chunk: LogChunk): void {
    const source = `${chunk.job_id} ${chunk.attempt} ${chunk.stream}`;
    const pieces = (chunk.text ?? "").split("\n");
    pieces.forEach((piece, index) => {
      const text = piece.endsWith("\r") ? piece.slice(0, -1) : piece;
      const isLast = index === pieces.length - 1;
      if (isLast && text === "") {
        return;
      }
      this.append(source, chunk, text);
      if (!isLast) {
        this.open.delete(source);
      }
    });
  }

  /** Drops what is beyond the limit; called once for many chunks, since it moves all lines. */
  trim(): void {
    const surplus = this.kept.length - LINES_MAX;
    if (surplus <= 0) {
      return;
    }
    this.kept = this.kept.slice(surplus);
    this.first += surplus;
    for (const [source, at] of this.open) {
      if (at < surplus) {
        this.open.delete(source);
      } else {
        this.open.set(source, at - surplus);
      }
    }
  }

  private append(source: string, chunk: LogChunk, text: string): void {
    const at = this.open.get(source);
    const begun = at === undefined ? undefined : this.kept[at];
    if (at !== undefined && begun !== undefined && begun.text.length + text.length <= LINE_CHARACTERS_MAX) {
      this.kept[at] = { ...begun, text: begun.text + text };
      return;
    }
    for (let from = 0; from === 0 || from < text.length; from += LINE_CHARACTERS_MAX) {
      this.kept.push({
        number: this.first + this.kept.length,
        step: chunk.step ?? "",
        stream: chunk.stream ?? "stdout",
        time: chunk.time ?? "",
        text: text.slice(from, from + LINE_CHARACTERS_MAX),
      });
    }
    this.open.set(source, this.kept.length - 1);
  }
}
