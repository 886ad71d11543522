import { result } from "#/api/client.ts";
import type { LogMatch } from "#/api/types.ts";
import type { LogPart } from "#/pages/run/logs/log_window.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

export type LogStream = "stdout" | "stderr" | "system" | "trace";

/** Which lines of a run's log are shown. */
export interface LogFilter {
  readonly step?: string | undefined;
  readonly stream?: LogStream | undefined;
}

/** Positions of the first and the last chunk of a log. */
export interface LogBounds {
  readonly first: number;
  readonly last: number;
}

/** Number of chunks of a part; the server also limits the bytes. */
const PART_CHUNKS = 256;
const MATCHES_MAX = 100;

/** The log of a run, from which parts are read and in which the server searches. */
export class RunLog {
  private readonly workspace: CurrentWorkspace;
  private readonly run: string;
  private readonly filter: LogFilter;

  constructor(workspace: CurrentWorkspace, run: string, filter: LogFilter) {
    this.workspace = workspace;
    this.run = run;
    this.filter = filter;
  }

  /** The query that an address of this log takes for the filter. */
  get query(): string {
    const { step, stream } = this.filter;
    const query = new URLSearchParams({
      ...(step === undefined ? {} : { step }),
      ...(stream === undefined ? {} : { stream }),
    }).toString();
    return query === "" ? "" : `?${query}`;
  }

  /** The chunks after a position. */
  after(position: number, signal: AbortSignal): Promise<LogPart & { bounds: LogBounds }> {
    return this.part({ order: "oldest", after: position }, signal);
  }

  /** The chunks before a position, in their order; 0 means the last chunks. */
  async before(position: number, signal: AbortSignal): Promise<LogPart & { bounds: LogBounds }> {
    const part = await this.part({ order: "newest", before: position }, signal);
    return { ...part, chunks: part.chunks.toReversed() };
  }

  /**
   * The next line with a text beyond a line.
   *
   * @param progress is told which position the search has reached
   */
  async find(
    text: string,
    from: { readonly position: number; readonly line: number } | undefined,
    isBackward: boolean,
    progress: (position: number) => void,
    signal: AbortSignal,
  ): Promise<LogMatch | undefined> {
    const range =
      from === undefined ? {} : isBackward ? { before: from.position + 1 } : { after: Math.max(0, from.position - 1) };
    let page_token = "";
    do {
      const query = {
        ...this.choice(),
        text,
        order: isBackward ? ("newest" as const) : ("oldest" as const),
        ...range,
        page_size: MATCHES_MAX,
        ...(page_token === "" ? {} : { page_token }),
      };
      const page = await result(
        this.workspace.api.GET("/runs/{id}/logs/matches", { params: { path: { id: this.run }, query }, signal }),
      );
      const found = page.items.find((match) => from === undefined || isBeyond(match, from, isBackward));
      if (found !== undefined) {
        return found;
      }
      page_token = page.next_page_token ?? "";
      progress(page.searched_position ?? 0);
    } while (page_token !== "");
    return undefined;
  }

  private async part(
    range: { order: "oldest" | "newest"; after?: number; before?: number },
    signal: AbortSignal,
  ): Promise<LogPart & { bounds: LogBounds }> {
    let page_token = "";
    for (;;) {
      const query = {
        ...this.choice(),
        ...range,
        page_size: PART_CHUNKS,
        ...(page_token === "" ? {} : { page_token }),
      };
      const page = await result(
        this.workspace.api.GET("/runs/{id}/logs", {
          params: { path: { id: this.run }, query },
          signal,
          headers: { accept: "application/json" },
        }),
      );
      if (typeof page === "string") {
        throw new Error("The server has sent a stream instead of a page.");
      }
      page_token = page.next_page_token ?? "";
      // What a filter leaves out may fill whole pages.
      if (page.items.length > 0 || page_token === "") {
        const bounds = { first: page.first_position ?? 0, last: page.last_position ?? 0 };
        return { chunks: page.items, isLast: page_token === "", bounds };
      }
    }
  }

  private choice() {
    const { step, stream } = this.filter;
    return { ...(step === undefined ? {} : { step }), ...(stream === undefined ? {} : { stream: [stream] }) };
  }
}

function isBeyond(match: LogMatch, from: { position: number; line: number }, isBackward: boolean): boolean {
  const distance = match.position - from.position || match.line - from.line;
  return isBackward ? distance < 0 : distance > 0;
}
