import type { Run } from "#/api/types.ts";
import { runFigures } from "#/pages/definitions/run_figures.ts";
import { RunRow } from "#/pages/runs/run_row.tsx";
import { useRuns } from "#/pages/runs/use_runs.ts";
import { Button } from "#/parts/button.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { durationText } from "#/parts/time.ts";
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
      <Figures runs={runs} />
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

/** How many of the listed runs succeeded, and how long they took. */
function Figures({ runs }: { runs: readonly Run[] }) {
  const figures = runFigures(runs);
  if (figures === undefined) {
    return null;
  }
  const { ended, succeeded, median, p95 } = figures;
  return (
    <p className="text-sm text-muted">
      {words.runs.figures(ended, percentText(succeeded))}
      {median !== undefined && p95 !== undefined && ` · ${words.runs.lengths(durationText(median), durationText(p95))}`}
    </p>
  );
}

/** A share in percent, which is 100 only if nothing is missing. */
function percentText(share: number): string {
  return String(share === 1 ? 100 : Math.min(99, Math.round(share * 100)));
}
