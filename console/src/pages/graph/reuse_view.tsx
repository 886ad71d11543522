import { useQueries } from "@tanstack/react-query";
import type { Subject } from "#/actions/action.ts";
import type { Step } from "#/api/types.ts";
import { isInsideFolded, iterationsAround } from "#/live/folded.ts";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { flowGraph } from "#/pages/graph/graph_model.ts";
import { reuseAfter } from "#/pages/graph/reuse.ts";
import { insideQuery } from "#/pages/run/loops/loop_queries.ts";
import { flowOf } from "#/parts/target.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly subject: Subject;
  readonly texts: Readonly<Record<string, string>>;
}

/** Which steps a rerun from the selected one reuses, and which run again. */
export function ReuseView({ subject, texts }: Props) {
  const { run, step, steps } = subject;
  const { data } = useFlowDocument(flowOf(run), texts.version || run.target.flow_hash);
  const inside = useStepsAround(subject);
  if (data?.document === undefined || step === undefined) {
    return null;
  }
  const ended = new Set(
    [...steps.values(), ...inside]
      .filter(({ state }) => state === "succeeded" || state === "skipped")
      .map(({ key }) => nodeKey(key)),
  );
  const { reused, again } = reuseAfter(flowGraph(data.document), nodeKey(step.key), ended);
  return (
    <dl className="space-y-1.5 text-sm">
      <Keys title={words.actions.reused} keys={reused} />
      <Keys title={words.actions.again} keys={again} />
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

/** The key of a node of the graph, which has no numbers of iterations. */
function nodeKey(step: string): string {
  return step.replaceAll(/\[\d+\]/g, "");
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
