import { useEffect, useRef, useState } from "react";
import type { LogMatch } from "#/api/types.ts";
import type { LogBounds, RunLog } from "#/pages/run/logs/log_requests.ts";
import { Button } from "#/parts/button.tsx";
import { Icon } from "#/parts/icon.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

export interface LogSpot {
  readonly position: number;
  readonly line: number;
}

interface Props {
  readonly log: RunLog;
  readonly bounds: LogBounds;
  /** The line from which the search goes on. */
  readonly from: () => LogSpot | undefined;
  readonly onFound: (match: LogMatch) => void;
}

interface Search {
  readonly share: number | undefined;
  readonly outcome: "none" | "wrapped" | undefined;
  readonly problem: unknown;
}

const IDLE: Search = { share: undefined, outcome: undefined, problem: undefined };

/** Finds text in the whole log, on the server, and goes from match to match. */
export function FindBar({ log, bounds, from, onFound }: Props) {
  const [text, setText] = useState("");
  const [search, setSearch] = useState(IDLE);
  const running = useRef<AbortController | undefined>(undefined);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
    setSearch(IDLE);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search belongs to its log
  useEffect(() => () => running.current?.abort(), [log]);
  const find = async (isBackward: boolean) => {
    stop();
    if (text === "") {
      return;
    }
    const abort = new AbortController();
    running.current = abort;
    const progress = (position: number) => {
      const share = (position - bounds.first) / Math.max(1, bounds.last - bounds.first);
      if (!abort.signal.aborted) {
        setSearch({ ...IDLE, share: Math.min(1, Math.max(0, isBackward ? 1 - share : share)) });
      }
    };
    setSearch({ ...IDLE, share: 0 });
    try {
      const spot = from();
      const next = await log.find(text, spot, isBackward, progress, abort.signal);
      const found = next ?? (spot && (await log.find(text, undefined, isBackward, progress, abort.signal)));
      if (!abort.signal.aborted) {
        const isWrapped = next === undefined && spot !== undefined;
        setSearch({ ...IDLE, outcome: found === undefined ? "none" : isWrapped ? "wrapped" : undefined });
        if (found !== undefined) {
          onFound(found);
        }
      }
    } catch (problem) {
      if (!abort.signal.aborted) {
        setSearch({ ...IDLE, problem });
      }
    }
  };
  return (
    <search className="flex min-w-52 flex-1 flex-wrap items-center gap-2">
      <input
        data-filter
        aria-label={words.logs.search}
        placeholder={words.logs.search}
        value={text}
        onChange={(event) => {
          stop();
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            void find(event.shiftKey);
          } else if (event.key === "Escape") {
            stop();
          }
        }}
        className="min-h-8 min-w-0 flex-1 rounded-md border border-line bg-surface px-2.5"
      />
      <Button aria-label={words.logs.previous} title={words.logs.previous} onClick={() => void find(true)}>
        <Icon name="chevron" className="-rotate-90" />
      </Button>
      <Button aria-label={words.logs.next} title={words.logs.next} onClick={() => void find(false)}>
        <Icon name="chevron" className="rotate-90" />
      </Button>
      <span role="status" className="text-xs whitespace-nowrap text-muted tabular-nums">
        {search.share !== undefined && words.logs.searching(Math.floor(search.share * 100))}
        {search.outcome !== undefined && words.logs.outcomes[search.outcome]}
      </span>
      {search.share !== undefined && (
        <Button kind="ghost" onClick={stop}>
          {words.logs.stop}
        </Button>
      )}
      {search.problem !== undefined && <ProblemView error={search.problem} />}
    </search>
  );
}
