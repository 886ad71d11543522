import { RunRow } from "#/pages/runs/run_row.tsx";
import { useRuns } from "#/pages/runs/use_runs.ts";
import { Button } from "#/parts/button.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

/** The runs of a flow or script, the newest first. */
export function RunsOf({ path }: { path: string }) {
  const { runs, pages } = useRuns({ name: path });
  if (pages.isPending) {
    return <Loading />;
  }
  if (pages.data === undefined) {
    return <ProblemView error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  return (
    <div className="space-y-3">
      {runs.length === 0 ? (
        <p className="text-sm text-muted">{words.runs.empty}</p>
      ) : (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      {pages.hasNextPage && <Button onClick={() => void pages.fetchNextPage()}>{words.common.more}</Button>}
    </div>
  );
}
