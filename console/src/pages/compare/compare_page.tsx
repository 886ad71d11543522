import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { NO_STEP, wholeStepQuery } from "#/actions/whole_run.ts";
import { result } from "#/api/client.ts";
import type { IterationCounts, Run, Step } from "#/api/types.ts";
import { begun, ended } from "#/live/folded.ts";
import { isReused, type Pair, pairSteps } from "#/pages/compare/compare.ts";
import { DiffView } from "#/pages/definitions/diff_view.tsx";
import { Icon } from "#/parts/icon.tsx";
import { runStart, stepMillis } from "#/parts/own_times.ts";
import { Page } from "#/parts/page.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { StateBadge, shownState } from "#/parts/state_badge.tsx";
import { durationText } from "#/parts/time.ts";
import { DurationText, TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** Number of steps of each run that the page compares. */
const STEPS_MAX = 1_000;

/** Two runs side by side: their steps, inputs and outputs. */
export function ComparePage() {
  const { id, other } = useParams({ from: "/runs/$id/compare/$other" });
  const left = useWhole(other);
  const right = useWhole(id);
  if (left.data === undefined || right.data === undefined) {
    const failed = left.error !== null ? left : right;
    return (
      <Page title={words.compare.title}>
        {failed.error === null ? (
          <Loading />
        ) : (
          <ProblemView
            error={failed.error}
            onRetry={() => {
              void left.refetch();
              void right.refetch();
            }}
          />
        )}
      </Page>
    );
  }
  return (
    <Page title={words.compare.title}>
      <div className="grid gap-3 sm:grid-cols-2">
        <Facts run={left.data.run} />
        <Facts run={right.data.run} />
      </div>
      <Steps left={left.data} right={right.data} />
      {(left.data.isCut || right.data.isCut) && <p className="text-sm text-muted">{words.compare.cut(STEPS_MAX)}</p>}
      <Difference title={words.run.input} left={left.data.run.input} right={right.data.run.input} />
      <Difference title={words.run.output} left={left.data.run.output} right={right.data.run.output} />
    </Page>
  );
}

function useWhole(id: string) {
  const { name, api } = useWorkspace();
  return useQuery({
    queryKey: [name, "runs", id, "compared"],
    queryFn: async () => {
      const params = { path: { id } };
      const run = await result(api.GET("/runs/{id}", { params }));
      const query = { page_size: STEPS_MAX, fold_loops: true };
      const steps = await result(api.GET("/runs/{id}/steps", { params: { ...params, query } }));
      return { run, steps: steps.items, isCut: steps.next_page_token !== "" };
    },
  });
}

function Facts({ run }: { run: Run }) {
  return (
    <section className="min-w-0 space-y-1.5 rounded-lg border border-line bg-surface p-4 text-sm">
      <h2 className="flex flex-wrap items-center gap-2 font-semibold">
        <StateBadge state={shownState(run)} />
        <span className="min-w-0 break-all">{run.name}</span>
      </h2>
      <Link to="/runs/$id" params={{ id: run.id }} className="font-mono text-xs break-all text-accent hover:underline">
        {run.id}
      </Link>
      <p className="flex flex-wrap gap-x-4 text-muted">
        <TimeText time={run.create_time} />
        <DurationText from={runStart(run)} to={run.end_time} />
      </p>
      {run.error?.message ? <p className="break-words text-failed">{run.error.message}</p> : null}
    </section>
  );
}

interface Side {
  readonly run: Run;
  readonly steps: readonly Step[];
}

function Steps({ left, right }: { left: Side; right: Side }) {
  const [open, setOpen] = useState<string>();
  const pairs = pairSteps(left.steps, right.steps);
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-sm max-sm:block">
        <caption className="sr-only">{words.compare.steps}</caption>
        <thead className="text-left text-muted max-sm:sr-only">
          <tr>
            <th className="px-3 py-2 font-medium">{words.compare.step}</th>
            <th className="px-3 py-2 font-medium">{words.compare.left}</th>
            <th className="px-3 py-2 font-medium">{words.compare.right}</th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {pairs.map((pair) => (
            <Fragment key={pair.key}>
              <tr className={`border-t border-line max-sm:block max-sm:py-1 ${pair.differs ? "bg-raised" : ""}`}>
                <th
                  scope="row"
                  className="min-w-36 px-3 py-1.5 text-left font-mono text-xs font-normal break-all max-sm:block"
                >
                  <button
                    type="button"
                    data-entry
                    aria-expanded={open === pair.key}
                    onClick={() => setOpen((before) => (before === pair.key ? undefined : pair.key))}
                    className="inline-flex items-center gap-1 text-left hover:underline"
                  >
                    <Icon name="chevron" className={open === pair.key ? "rotate-90" : ""} />
                    {pair.key}
                  </button>
                </th>
                <Cell title={words.compare.left} step={pair.left} run={left.run} />
                <Cell title={words.compare.right} step={pair.right} run={right.run} isReused={isReused(pair)} />
              </tr>
              {open === pair.key && (
                <tr className="max-sm:block">
                  <td colSpan={3} className="space-y-3 border-t border-line p-3 max-sm:block">
                    <StepDifference left={left.run} right={right.run} pair={pair} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What went into a step in both runs, and what came out of it. */
function StepDifference({ left, right, pair }: { left: Run; right: Run; pair: Pair }) {
  const before = useWholeStep(left, pair.left);
  const after = useWholeStep(right, pair.right);
  const error = before.error ?? after.error;
  if (error !== null) {
    return <ProblemView error={error} />;
  }
  if (before.isLoading || after.isLoading) {
    return <Loading />;
  }
  return (
    <>
      <Difference title={words.run.input} left={before.data?.input} right={after.data?.input} />
      <Difference
        title={words.timeline.result}
        left={before.data?.result ?? before.data?.error}
        right={after.data?.result ?? after.data?.error}
      />
    </>
  );
}

function useWholeStep(run: Run, step: Step | undefined) {
  const workspace = useWorkspace();
  const query = useQuery({ ...wholeStepQuery(workspace, run.id, step ?? NO_STEP), enabled: step !== undefined });
  return step === undefined ? { data: undefined, error: null, isLoading: false } : query;
}

interface CellProps {
  /** Which of the two runs this is, where the heads of the columns are out of sight. */
  readonly title: string;
  readonly step: Step | undefined;
  readonly run: Run;
  readonly isReused?: boolean;
}

/** A step in one of the runs. On narrow screens, the runs stand below each other. */
function Cell({ title, step, run, isReused: isTaken = false }: CellProps) {
  const millis = stepMillis(step, run);
  return (
    <td className="px-3 py-1.5 whitespace-nowrap max-sm:flex max-sm:flex-wrap max-sm:gap-x-3">
      <span aria-hidden="true" className="min-w-14 text-muted sm:hidden">
        {title}
      </span>
      {step === undefined ? (
        <span className="text-muted">{words.compare.absent}</span>
      ) : (
        <span className="inline-flex items-center gap-2">
          <StateBadge state={step.state} />
          <Ends counts={step.iterations} />
          {millis !== undefined && <span className="text-muted tabular-nums">{durationText(millis)}</span>}
          {isTaken && <span className="text-muted">{words.compare.reused}</span>}
        </span>
      )}
    </td>
  );
}

/** How the iterations of a large loop ended. */
function Ends({ counts }: { counts: IterationCounts | undefined }) {
  if (counts === undefined) {
    return null;
  }
  const all = Math.max(counts.total ?? 0, begun(counts));
  return (
    <span
      className="text-muted tabular-nums"
      title={words.timeline.counts(
        ended(counts) - counts.failed,
        counts.failed,
        begun(counts) - ended(counts),
        all - begun(counts),
      )}
    >
      {ended(counts)}/{all}
      {counts.failed > 0 && <span className="ml-1 text-failed">✕{counts.failed}</span>}
    </span>
  );
}

function Difference({ title, left, right }: { title: string; left: unknown; right: unknown }) {
  return (
    <section className="space-y-2">
      <h2 className="text-sm font-semibold">{title}</h2>
      <DiffView before={text(left)} after={text(right)} label={title} same={words.compare.same} />
    </section>
  );
}

function text(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}
