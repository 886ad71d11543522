import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { result } from "#/api/client.ts";
import type { Run, RunOperation } from "#/api/types.ts";
import { JsonView } from "#/parts/json_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** What people and programs did to a run, and why. What they did to the selected step is marked. */
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
  if (items.length === 0) {
    return <p className="p-4 text-sm text-muted">{words.run.noHistory}</p>;
  }
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
      {items.map((operation) => (
        <li
          key={operation.id}
          className={`space-y-2 px-4 py-3 text-sm ${isAbout(operation, selected) ? "bg-accent-soft" : ""}`}
        >
          <p className="flex flex-wrap items-baseline gap-x-3">
            <strong>{operation.operation}</strong>
            <span>{operation.actor}</span>
            <span className="text-muted">
              <TimeText time={operation.create_time} />
            </span>
            <NewRun operation={operation} />
          </p>
          {operation.reason !== undefined && <p className="break-words text-muted">{operation.reason}</p>}
          {operation.details !== undefined && Object.keys(operation.details).length > 0 && (
            <JsonView value={operation.details} label={operation.operation} />
          )}
        </li>
      ))}
    </ol>
  );
}

function isAbout({ details }: RunOperation, step: string | undefined): boolean {
  return step !== undefined && (details as { step?: unknown } | undefined)?.step === step;
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
