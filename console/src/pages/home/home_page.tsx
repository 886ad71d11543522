import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { RunState } from "#/api/types.ts";
import { SHARED_FEED } from "#/live/run_feed.ts";
import { FirstRun } from "#/pages/first/first_run.tsx";
import { ActivitySection } from "#/pages/home/activity_section.tsx";
import { Asked } from "#/pages/home/asked.tsx";
import { HomeSection } from "#/pages/home/home_section.tsx";
import { RunRow } from "#/pages/runs/run_row.tsx";
import { useRuns } from "#/pages/runs/use_runs.ts";
import { useGoneWorkers } from "#/pages/workers/gone.ts";
import { useWorkers } from "#/pages/workers/queries.ts";
import { slotsOf } from "#/pages/workers/slots.ts";
import { Page } from "#/parts/page.tsx";
import { EmptyState, Loading, ProblemView } from "#/parts/problem_view.tsx";
import { ExampleCommand, WorkerCommand } from "#/shell/example_command.tsx";
import { words } from "#/words/words.ts";

const SHOWN_MAX = 8;
const RUNNING: RunState[] = ["running"];
const QUEUED: RunState[] = ["queued"];
const FAILED: RunState[] = ["failed"];
const ALL = {};

/** What runs, what failed, and who works. */
export function HomePage() {
  const all = useRuns(ALL, SHARED_FEED);
  if (all.pages.isPending) {
    return <Loading />;
  }
  const isEmpty = all.pages.isSuccess && all.runs.length === 0;
  return (
    <Page title={words.home.title}>
      {all.pages.error !== null && <ProblemView error={all.pages.error} onRetry={() => void all.pages.refetch()} />}
      {isEmpty && (
        <EmptyState title={words.home.firstTitle}>
          <FirstRun />
          <p>{words.home.firstHelp}</p>
          <ExampleCommand command="./millrace run examples/hello/hello.py -i name=Ada" />
          <ExampleCommand command="./millrace flows deploy examples/pipeline/flow.yaml" />
        </EmptyState>
      )}
      {!isEmpty && <Asked />}
      {!isEmpty && <ActivitySection />}
      <Workers />
      {!isEmpty && (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <Runs title={words.home.running} states={[RUNNING, QUEUED]} none={words.home.noRunning} />
          <Runs title={words.home.failed} states={[FAILED]} none={words.home.noFailed} />
        </div>
      )}
    </Page>
  );
}

interface RunsProps {
  readonly title: string;
  /** States of the runs: those in the first ones come before all others, however many these are. */
  readonly states: readonly [first: RunState[], then?: RunState[]];
  readonly none: string;
}

function Runs({ title, states: [first, then], none }: RunsProps) {
  const filters = useMemo(() => ({ state: first }), [first]);
  const others = useMemo(() => ({ state: then ?? first }), [first, then]);
  const lists = [useRuns(filters, SHARED_FEED), useRuns(others, SHARED_FEED)].slice(0, then === undefined ? 1 : 2);
  const runs = lists.flatMap((list) => list.runs).slice(0, SHOWN_MAX);
  const failed = lists.map(({ pages }) => pages).find(({ error }) => error !== null);
  return (
    <HomeSection
      title={title}
      more={
        <Link to="/runs" search={{ state: [...first, ...(then ?? [])] }}>
          {words.home.all}
        </Link>
      }
    >
      {lists.some(({ pages }) => pages.isPending) ? (
        <Loading />
      ) : failed !== undefined && runs.length === 0 ? (
        <ProblemView error={failed.error} onRetry={() => void failed.refetch()} />
      ) : runs.length === 0 ? (
        <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">{none}</p>
      ) : (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
    </HomeSection>
  );
}

function Workers() {
  const workers = useWorkers(false);
  const gone = useGoneWorkers(workers.data?.items);
  if (workers.data === undefined) {
    return workers.error === null ? null : <ProblemView error={workers.error} onRetry={() => void workers.refetch()} />;
  }
  const { items } = workers.data;
  return (
    <HomeSection title={words.home.workers} more={<Link to="/workers">{words.home.all}</Link>}>
      {items.length === 0 && gone.length === 0 ? (
        <EmptyState title={words.workers.empty}>
          <p>{words.workers.emptyHelp}</p>
          <WorkerCommand />
        </EmptyState>
      ) : (
        <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {items.map((worker) => {
            const { used, all } = slotsOf(worker);
            return (
              <li key={worker.session_id} className="rounded-lg border border-line bg-surface px-4 py-3 text-sm">
                <p className="truncate font-medium" title={worker.name}>
                  {worker.name}
                </p>
                <p className="text-muted">{words.home.slots(used, all)}</p>
                <meter
                  aria-label={words.workers.slots}
                  className="mt-1.5 h-1.5 w-full"
                  min={0}
                  max={Math.max(all, 1)}
                  value={used}
                />
              </li>
            );
          })}
          {gone.map(({ worker }) => (
            <li
              key={worker.session_id}
              className="rounded-lg border border-line border-dashed px-4 py-3 text-sm text-muted"
            >
              <p className="truncate" title={worker.name}>
                {worker.name}
              </p>
              <p className="text-failed">{words.workers.gone}</p>
            </li>
          ))}
        </ul>
      )}
    </HomeSection>
  );
}
