import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { wholeStepQuery } from "#/actions/whole_run.ts";
import { result } from "#/api/client.ts";
import type { Run, RunOperation, Step } from "#/api/types.ts";
import { type Happening, happenings } from "#/pages/run/run_history.ts";
import { RunTrigger } from "#/pages/run/run_trigger.tsx";
import { useAttempts } from "#/pages/run/timeline/use_attempts.ts";
import { JsonView } from "#/parts/json_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** Waits whose answers are read. */
const WAITS_MAX = 20;

interface Props {
  readonly run: Run;
  readonly steps: ReadonlyMap<string, Step>;
  readonly selected: string | undefined;
}

/**
 * What happened to a run: who or what began it, what people and programs did to it and why, who answered its waits, which
 * attempts were lost or failed, and how it ended. What is about the selected step is marked.
 */
export function HistoryTab({ run, steps, selected }: Props) {
  const workspace = useWorkspace();
  const operations = useQuery({
    queryKey: [workspace.name, "runs", run.id, "operations", run.state, run.paused],
    queryFn: () => result(workspace.api.GET("/runs/{id}/operations", { params: { path: { id: run.id } } })),
  });
  const waiting = useMemo(
    () =>
      [...steps.values()].filter(({ kind, end_time: end }) => kind === "wait" && end !== undefined).slice(0, WAITS_MAX),
    [steps],
  );
  const waits = useQueries({
    queries: waiting.map((step) => wholeStepQuery(workspace, run.id, step)),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
  const retried = useMemo(
    () => new Map([...steps.values()].flatMap((step) => (step.attempt > 1 ? [[step.job_id, step.attempt]] : []))),
    [steps],
  );
  const attempts = useAttempts(run, retried);
  if (operations.isPending) {
    return <Loading />;
  }
  if (operations.data === undefined) {
    return <ProblemView error={operations.error} onRetry={() => void operations.refetch()} />;
  }
  const { items } = operations.data;
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
      {happenings(run, items, waits, steps.values(), attempts).map((happening) => (
        <HappeningRow key={keyOf(happening)} happening={happening} selected={selected} />
      ))}
    </ol>
  );
}

function keyOf(happening: Happening): string {
  switch (happening.kind) {
    case "operation":
      return `operation ${happening.operation.id}`;
    case "answer":
      return `answer ${happening.step}`;
    case "end":
      return "end";
    case "attempt":
      return `attempt ${happening.step} ${happening.attempt.number}`;
  }
}

function HappeningRow({ happening, selected }: { happening: Happening; selected: string | undefined }) {
  switch (happening.kind) {
    case "operation": {
      const { operation } = happening;
      return (
        <Happened
          time={operation.create_time}
          what={operation.operation ?? ""}
          isMarked={isAbout(operation, selected)}
          detail={<Detail operation={operation} />}
        >
          <span>{operation.actor}</span>
          <NewRun operation={operation} />
        </Happened>
      );
    }
    case "answer": {
      const { time, step, hasSucceeded, people, payload, message } = happening;
      return (
        <Happened
          time={time}
          what={hasSucceeded ? words.run.answered : words.run.unanswered}
          isMarked={step === selected}
          detail={
            <>
              {message !== undefined && <p className="break-words text-muted">{message}</p>}
              {payload !== undefined && <JsonView value={payload} label={step} />}
            </>
          }
        >
          <code className="font-mono text-xs">{step}</code>
          {people.length > 0 && <span>{people.join(", ")}</span>}
        </Happened>
      );
    }
    case "end":
      return <Happened time={happening.time} what={words.states[happening.state]} />;
    case "attempt": {
      const { time, step, attempt } = happening;
      return (
        <Happened
          time={time}
          what={words.run.attemptEnded(attempt.number)}
          isMarked={step === selected}
          detail={
            attempt.message === "" ? null : (
              <p className="font-mono text-xs break-words text-muted">{attempt.message}</p>
            )
          }
        >
          <code className="font-mono text-xs">{step}</code>
          {attempt.worker !== "" && <span className="text-muted">{words.timeline.worker(attempt.worker)}</span>}
        </Happened>
      );
    }
  }
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
