import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { result } from "#/api/client.ts";
import type { Run, Step } from "#/api/types.ts";
import { isReused, millisOf, pairSteps } from "#/pages/compare/compare.ts";
import { DiffView } from "#/pages/definitions/diff_view.tsx";
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
  const error = left.error ?? right.error;
  if (error !== null) {
    return (
      <Page title={words.compare.title}>
        <ProblemView error={error} />
      </Page>
    );
  }
  if (left.data === undefined || right.data === undefined) {
    return <Loading />;
  }
  return (
    <Page title={words.compare.title}>
      <div className="grid gap-3 sm:grid-cols-2">
        <Facts run={left.data.run} />
        <Facts run={right.data.run} />
      </div>
      <Steps left={left.data.steps} right={right.data.steps} />
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
      const query = { page_size: STEPS_MAX };
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
        <DurationText from={run.start_time} to={run.end_time} />
      </p>
      {run.error?.message ? <p className="break-words text-failed">{run.error.message}</p> : null}
    </section>
  );
}

function Steps({ left, right }: { left: readonly Step[]; right: readonly Step[] }) {
  const pairs = pairSteps(left, right);
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-sm">
        <caption className="sr-only">{words.compare.steps}</caption>
        <thead className="text-left text-muted">
          <tr>
            <th className="px-3 py-2 font-medium">{words.compare.step}</th>
            <th className="px-3 py-2 font-medium">{words.compare.left}</th>
            <th className="px-3 py-2 font-medium">{words.compare.right}</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <tr key={pair.key} className={`border-t border-line ${pair.differs ? "bg-raised" : ""}`}>
              <th scope="row" className="px-3 py-1.5 text-left font-mono text-xs font-normal break-all">
                {pair.key}
              </th>
              <Cell step={pair.left} />
              <Cell step={pair.right} isReused={isReused(pair)} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ step, isReused: isTaken = false }: { step: Step | undefined; isReused?: boolean }) {
  const millis = millisOf(step);
  return (
    <td className="px-3 py-1.5 whitespace-nowrap">
      {step === undefined ? (
        <span className="text-muted">{words.compare.absent}</span>
      ) : (
        <span className="inline-flex items-center gap-2">
          <StateBadge state={step.state} />
          {millis !== undefined && <span className="text-muted tabular-nums">{durationText(millis)}</span>}
          {isTaken && <span className="text-muted">{words.compare.reused}</span>}
        </span>
      )}
    </td>
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
