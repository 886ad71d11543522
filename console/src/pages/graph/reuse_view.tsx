import { useQueries } from "@tanstack/react-query";
import type { Subject } from "#/actions/action.ts";
import type { Step } from "#/api/types.ts";
import { isInsideFolded, iterationsAround } from "#/live/folded.ts";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { reuseAfter } from "#/pages/graph/reuse.ts";
import { insideQuery } from "#/pages/run/loops/loop_queries.ts";
import { flowOf } from "#/parts/target.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly subject: Subject;
  /** The version of the flow that the rerun executes; empty for that of the run. */
  readonly version: string;
}

/** Which steps a rerun from the selected one reuses, and which run again. */
export function ReuseView({ subject, version }: Props) {
  const { run, step, steps } = subject;
  const { data } = useFlowDocument(flowOf(run), version || run.target.flow_hash);
  const inside = useStepsAround(subject);
  if (data?.document === undefined || step === undefined) {
    return null;
  }
  const known = new Map([...steps, ...[...inside, step].map((one) => [one.key, one] as const)]);
  const { reused, again, around, loops } = reuseAfter(data.document, step.key, known);
  const iterations = (kind: "reused" | "again") =>
    loops.filter((loop) => loop[kind] > 0).map((loop) => words.actions.iterationsOf(loop.loop, loop[kind]));
  return (
    <dl className="space-y-1.5 text-sm">
      <Keys title={words.actions.reused} keys={[...reused, ...iterations("reused")]} />
      <Keys title={words.actions.again} keys={[...again, ...iterations("again")]} />
      <Keys title={words.actions.around} keys={around} />
    </dl>
  );
}

/** The steps in the iterations of large loops around the selected step, which the stream of the run leaves out. */
function useStepsAround({ run, step, steps }: Subject): readonly Step[] {
  const workspace = useWorkspace();
  const key = step?.key ?? "";
  const around = isInsideFolded(key, steps) ? iterationsAround(key) : [];
  return useQueries({
    queries: around.map((iteration) => insideQuery(workspace, run, iteration)),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
}

const SHOWN_MAX = 50;

function Keys({ title, keys }: { title: string; keys: readonly string[] }) {
  return keys.length === 0 ? null : (
    <div className="flex flex-wrap items-baseline gap-1.5">
      <dt className="text-muted">{title}</dt>
      {keys.slice(0, SHOWN_MAX).map((key) => (
        <dd key={key}>
          <code className="rounded bg-raised px-1.5 font-mono text-xs break-all">{key}</code>
        </dd>
      ))}
      {keys.length > SHOWN_MAX && <dd className="text-muted">+{keys.length - SHOWN_MAX}</dd>}
    </div>
  );
}
