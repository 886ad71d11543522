import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { result } from "#/api/client.ts";
import type { Run } from "#/api/types.ts";
import { BulkBar } from "#/pages/runs/bulk_bar.tsx";
import { FilterBar } from "#/pages/runs/filter_bar.tsx";
import { apiQuery, isFiltered, looksIntoRuns, type RunFilters } from "#/pages/runs/filters.ts";
import { shownEntries } from "#/pages/runs/live_list.ts";
import { RunRow, runLayout, starterText } from "#/pages/runs/run_row.tsx";
import { useRuns } from "#/pages/runs/use_runs.ts";
import { Button } from "#/parts/button.tsx";
import { ListHead } from "#/parts/list_head.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState, Loading, ProblemView } from "#/parts/problem_view.tsx";
import { exactText } from "#/parts/time.ts";
import { ExampleCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const STARTER = "starter";
const COLUMNS = [
  { key: "state", name: words.runs.columns.state },
  { key: "name", name: words.runs.columns.name },
  { key: STARTER, name: words.run.startedBy, className: "max-lg:hidden" },
  { key: "created", name: words.runs.columns.created, className: "text-right" },
  { key: "duration", name: words.runs.columns.duration, className: "text-right" },
];

/** The list of runs. Its filters are in the address. */
export function RunsPage({ filters }: { filters: RunFilters }) {
  const navigate = useNavigate();
  const { runs, changes, pages, searchedBackTo } = useRuns(filters);
  const [frozen, setFrozen] = useState<readonly Run[]>();
  const { entries, newer } = shownEntries(runs, frozen, changes);
  const hasStarter = entries.some((run) => starterText(run) !== "");
  const freeze = () => setFrozen((before) => before ?? (runs.length > 0 ? runs : undefined));
  const release = () => setFrozen(undefined);
  const change = (changed: RunFilters) => {
    release();
    void navigate({
      to: "/runs",
      search: (before) => ({ workspace: before.workspace, ...changed }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <Page title={words.runs.title}>
      <FilterBar filters={filters} onChange={change} />
      <RunCount filters={filters} />
      {entries.length > 0 && <BulkBar filters={filters} />}
      {pages.error !== null && <ProblemView error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending ? (
        <Loading />
      ) : entries.length === 0 && pages.error === null ? (
        <NoRuns isFiltered={isFiltered(filters)} onClear={() => change({})} />
      ) : (
        <section
          aria-label={words.runs.title}
          onPointerEnter={freeze}
          onPointerLeave={release}
          onFocus={freeze}
          onBlur={release}
          className="relative"
        >
          {newer > 0 && (
            <div className="sticky top-2 z-10 flex h-0 justify-center">
              <Button kind="primary" className="h-8 shadow-float" onClick={release}>
                {words.runs.newer(newer)}
              </Button>
            </div>
          )}
          <div className="overflow-hidden rounded-lg border border-line bg-surface">
            <ListHead
              layout={runLayout(hasStarter)}
              columns={COLUMNS.filter(({ key }) => hasStarter || key !== STARTER)}
            />
            <ul>
              {entries.map((run) => (
                <RunRow key={run.id} run={run} hasStarter={hasStarter} />
              ))}
            </ul>
          </div>
        </section>
      )}
      {pages.isSuccess && entries.length > 0 && (pages.hasNextPage || looksIntoRuns(filters)) && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
          <span>{words.runs.loaded(entries.length, !pages.hasNextPage)}</span>
          {searchedBackTo !== undefined && (
            <span>{words.runs.searchedBackTo(exactText(Date.parse(searchedBackTo)))}</span>
          )}
        </div>
      )}
      {pages.hasNextPage && (
        <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {searchedBackTo === undefined ? words.common.more : words.runs.searchOn}
        </Button>
      )}
    </Page>
  );
}

function NoRuns({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState title={words.runs.emptyFiltered}>
        <Button onClick={onClear}>{words.runs.clear}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={words.runs.empty}>
      <p>{words.runs.emptyHelp}</p>
      <ExampleCommand command="./millrace run examples/hello/hello.py -i name=Ada" />
    </EmptyState>
  );
}

const COUNT_MILLIS = 10_000;

/** How many runs fit the filters, up to a limit. */
function RunCount({ filters }: { filters: RunFilters }) {
  const { name, api } = useWorkspace();
  const { data } = useQuery({
    queryKey: [name, "runs", filters, "count"],
    queryFn: () => {
      const query = { ...apiQuery(filters, Date.now()), page_size: 1, include_count: true };
      return result(api.GET("/runs", { params: { query } })).then(({ count }) => count ?? null);
    },
    enabled: !looksIntoRuns(filters),
    refetchInterval: COUNT_MILLIS,
  });
  return data == null ? null : (
    <p className="text-xs text-muted tabular-nums">{words.runs.count(data.runs, data.capped)}</p>
  );
}
