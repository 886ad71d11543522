import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { result } from "#/api/client.ts";
import { bulkQuery, bulkRunsQuery } from "#/pages/runs/bulk_queries.ts";
import { Button } from "#/parts/button.tsx";
import { Modal } from "#/parts/modal.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** How far an operation on many runs has come, and what it did to each; it can be stopped until it has ended. */
export function BulkProgress({ id }: { id: string }) {
  const workspace = useWorkspace();
  const { data, error } = useQuery(bulkQuery(workspace, id));
  const [isOpen, setOpen] = useState(false);
  const stopping = useMutation({
    mutationFn: () =>
      result(workspace.api.POST("/bulk-operations/{id}:cancel", { params: { path: { id } }, body: {} })),
  });
  if (error !== null) {
    return <ProblemView error={error} />;
  }
  if (data === undefined) {
    return null;
  }
  const { operation, state, total, done, failed, left_out: leftOut } = data;
  const name = operation === "skip" ? words.actions.skip : words.bulk.operations[operation];
  return (
    <div role="status" className="flex min-w-0 flex-wrap items-center gap-2">
      <progress
        className="accent-accent"
        aria-label={words.bulk.progress}
        max={Math.max(total, 1)}
        value={done + failed + leftOut}
      />
      <span className="tabular-nums">{words.bulk.counts(name, done, failed, total)}</span>
      {state === "running" && (
        <Button disabled={stopping.isPending} onClick={() => stopping.mutate()}>
          {words.bulk.stop}
        </Button>
      )}
      <Button onClick={() => setOpen(true)}>{words.bulk.details}</Button>
      <Modal title={words.bulk.detailsTitle} isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen && <BulkRuns id={id} hasFailures={failed > 0} />}
      </Modal>
    </div>
  );
}

/** What an operation did, run by run, with those first that refused it if there are any. */
function BulkRuns({ id, hasFailures }: { id: string; hasFailures: boolean }) {
  const [onlyFailed, setOnlyFailed] = useState(hasFailures);
  const pages = useInfiniteQuery(bulkRunsQuery(useWorkspace(), id, onlyFailed ? "failed" : undefined));
  if (pages.isPending) {
    return <Loading />;
  }
  if (pages.isError) {
    return <ProblemView error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  const runs = pages.data.pages.flatMap(({ items = [] }) => items);
  return (
    <div className="space-y-3 text-sm">
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={onlyFailed} onChange={(event) => setOnlyFailed(event.target.checked)} />
        {words.bulk.onlyRefused}
      </label>
      {runs.length === 0 && <p className="text-muted">{words.bulk.noRuns}</p>}
      <ul className="divide-y divide-line">
        {runs.map((run) => (
          <li key={run.run_id} className="space-y-0.5 py-2">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <RunLink id={run.run_id} />
              <span className={run.state === "failed" ? "font-medium text-failed" : "text-muted"}>
                {words.bulk.states[run.state]}
              </span>
              {run.new_run_id !== undefined && (
                <span>
                  {words.bulk.newRun} <RunLink id={run.new_run_id} />
                </span>
              )}
            </p>
            {run.error?.message !== undefined && <p className="break-words">{run.error.message}</p>}
          </li>
        ))}
      </ul>
      {pages.hasNextPage && (
        <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {words.common.more}
        </Button>
      )}
    </div>
  );
}

function RunLink({ id }: { id: string }) {
  return (
    <Link to="/runs/$id" params={{ id }} className="font-mono text-xs break-all text-accent hover:underline">
      {id}
    </Link>
  );
}
