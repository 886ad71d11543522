import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { result } from "#/api/client.ts";
import type { Run, RunOperation } from "#/api/types.ts";
import { RunTrigger } from "#/pages/run/run_trigger.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/**
 * What happened to a run: who or what began it, what people and programs did to it and why, and how it ended. What they did to the
 * selected step is marked.
 */
export function HistoryTab({ run, selected }: { run: Run; selected: string | undefined }) {
  const workspace = useWorkspace();
  const operations = useQuery({
    queryKey: [workspace.name, "runs", run.id, "operations", run.state, run.paused],
    queryFn: () => result(workspace.api.GET("/runs/{id}/operations", { params: { path: { id: run.id } } })),
  });
  if (operations.isPending) {
    return <Loading />;
  }
  if (operations.data === undefined) {
    return <ProblemView error={operations.error} onRetry={() => void operations.refetch()} />;
  }
  const { items } = operations.data;
  // A retry begins a run again that has ended, so the end is the last that happened.
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
      <Happened time={run.create_time} what={words.run.began}>
        {run.started_by !== undefined && <span>{run.started_by}</span>}
        {run.trigger !== undefined && (
          <span>
            {words.run.trigger(run.trigger.kind)} <RunTrigger trigger={run.trigger} />
          </span>
        )}
      </Happened>
      {items.map((operation) => (
        <Happened
          key={operation.id}
          time={operation.create_time}
          what={operation.operation ?? ""}
          isMarked={isAbout(operation, selected)}
          detail={<Detail operation={operation} />}
        >
          <span>{operation.actor}</span>
          <NewRun operation={operation} />
        </Happened>
      ))}
      {run.end_time !== undefined && <Happened time={run.end_time} what={words.states[run.state]} />}
    </ol>
  );
}

function isAbout({ details }: RunOperation, step: string | undefined): boolean {
  return step !== undefined && (details as { step?: unknown } | undefined)?.step === step;
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

/** Why somebody did something to a run, and what exactly. */
function Detail({ operation }: { operation: RunOperation }) {
  return (
    <>
      {operation.reason !== undefined && <p className="break-words text-muted">{operation.reason}</p>}
      {operation.details !== undefined && Object.keys(operation.details).length > 0 && (
        <JsonView value={operation.details} label={operation.operation} />
      )}
    </>
  );
}

/** The run that a restart or a rerun has started. */
function NewRun({ operation: { details } }: { operation: RunOperation }) {
  const { run_id: id } = (details ?? {}) as { run_id?: unknown };
  return typeof id !== "string" ? null : (
    <span>
      {words.bulk.newRun}{" "}
      <Link to="/runs/$id" params={{ id }} className="font-mono text-xs break-all text-accent hover:underline">
        {id}
      </Link>
    </span>
  );
}
