import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { result } from "#/api/client.ts";
import type { Run, RunHistoryEntry } from "#/api/types.ts";
import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { type Happening, happenings, isAbout } from "#/pages/run/run_history.ts";
import { RunTrigger } from "#/pages/run/run_trigger.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { LoadedPages } from "#/parts/loaded.tsx";
import { isEnded } from "#/parts/state_badge.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const PAGE_SIZE = 100;
/** Time between two looks at what has happened, while the run goes on. */
const REFRESH_MILLIS = 5_000;

/**
 * What happened to a run: who or what began it, what people and programs did to it and why, who answered its waits, which
 * attempts were lost or failed, and how it ended. What is about the selected step is marked.
 */
export function HistoryTab({ run, selected }: { run: Run; selected: string | undefined }) {
  const { name, api } = useWorkspace();
  const history = useInfiniteQuery({
    queryKey: [name, "runs", run.id, "history", run.state, run.paused],
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const query = { page_size: PAGE_SIZE, ...(pageParam === "" ? {} : { page_token: pageParam }) };
      return result(api.GET("/runs/{id}/history", { params: { path: { id: run.id }, query } }));
    },
    getNextPageParam: ({ next_page_token }) => next_page_token || undefined,
    refetchInterval: isEnded(run.state) ? false : REFRESH_MILLIS,
  });
  return (
    <LoadedPages query={history}>
      {(entries: readonly RunHistoryEntry[]) => (
        <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
          <Happened time={run.create_time} what={words.run.began}>
            {run.started_by !== undefined && <span>{run.started_by}</span>}
            {run.trigger !== undefined && (
              <span>
                {words.run.trigger(run.trigger.kind)} <RunTrigger trigger={run.trigger} />
              </span>
            )}
          </Happened>
          {happenings(run, entries).map((happening, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids, and only follow one another
            <HappeningRow key={index} happening={happening} selected={selected} />
          ))}
        </ol>
      )}
    </LoadedPages>
  );
}

function HappeningRow({ happening, selected }: { happening: Happening; selected: string | undefined }) {
  const shownKey = useShownKey();
  if (happening.kind === "end") {
    return <Happened time={happening.time} what={words.states[happening.state]} />;
  }
  const { time, step, who, why } = happening;
  const { attempt, payload, ...details } = (happening.details ?? {}) as { attempt?: number; payload?: unknown };
  const shown = happening.kind === "operation" ? happening.details : payload;
  return (
    <Happened
      time={time}
      what={whatText(happening, attempt)}
      isMarked={isAbout(happening, selected)}
      detail={
        <>
          {why !== undefined && why !== "" && <p className="break-words text-muted">{why}</p>}
          {isWorthShowing(shown) && <JsonView value={shown} label={happening.what} />}
        </>
      }
    >
      {step !== undefined && <code className="font-mono text-xs break-all">{shownKey(step)}</code>}
      {who !== undefined && who !== "" && (
        <span>{happening.kind === "attempt" ? words.timeline.worker(who) : who}</span>
      )}
      <NewRun details={details} />
    </Happened>
  );
}

function whatText({ kind, what }: RunHistoryEntry, attempt: number | undefined): string {
  switch (kind) {
    case "operation":
      return what;
    case "answer":
      return words.run.answers[what as keyof typeof words.run.answers] ?? what;
    case "attempt":
      return words.run.attemptEnded(attempt ?? 1, what);
  }
}

function isWorthShowing(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== "object" || Object.keys(value).length > 0);
}

interface HappenedProps {
  readonly time: string | undefined;
  readonly what: string;
  readonly isMarked?: boolean;
  readonly detail?: ReactNode;
  readonly children?: ReactNode;
}

function Happened({ time, what, isMarked = false, detail, children }: HappenedProps) {
  return (
    <li className={`space-y-2 px-4 py-3 text-sm ${isMarked ? "bg-accent-soft" : ""}`}>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <strong>{what}</strong>
        {children}
        <span className="text-muted">
          <TimeText time={time} />
        </span>
      </p>
      {detail}
    </li>
  );
}

/** The run that a restart or a rerun has started. */
function NewRun({ details }: { details: { readonly run_id?: unknown } }) {
  const { run_id: id } = details;
  return typeof id !== "string" ? null : (
    <span>
      {words.bulk.newRun}{" "}
      <Link to="/runs/$id" params={{ id }} className="font-mono text-xs break-all text-accent hover:underline">
        {id}
      </Link>
    </span>
  );
}
