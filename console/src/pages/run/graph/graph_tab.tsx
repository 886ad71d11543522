import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Run, Step } from "#/api/types.ts";
import { begun, foldedLoops, numberIn } from "#/live/folded.ts";
import type { FlowDocument } from "#/pages/definitions/flow_document.ts";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { FlowGraph } from "#/pages/graph/flow_graph.tsx";
import { type FlowVersions, versionsInside } from "#/pages/graph/use_open_flows.ts";
import { LoopPicker } from "#/pages/run/loops/loop_picker.tsx";
import { insideQuery, stateQuery } from "#/pages/run/loops/loop_queries.ts";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { flowOf } from "#/parts/target.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly run: Run;
  readonly steps: ReadonlyMap<string, Step>;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** The graph of the version of a flow that a run executes, with the states of its steps. */
export function GraphTab({ run, steps, selected, onSelect }: Props) {
  const flow = flowOf(run);
  const loaded = useFlowDocument(flow, run.target.flow_hash);
  if (flow === undefined) {
    return <p className="p-6 text-sm text-muted">{words.graph.none}</p>;
  }
  if (loaded.isPending) {
    return <Loading />;
  }
  if (loaded.data === undefined) {
    return <ProblemView error={loaded.error} onRetry={() => void loaded.refetch()} />;
  }
  if (loaded.data.document === undefined) {
    return <p className="p-6 text-sm text-muted">{words.graph.unread}</p>;
  }
  return (
    <WithIterations
      run={run}
      steps={steps}
      selected={selected}
      onSelect={onSelect}
      document={loaded.data.document}
      versions={versionsInside(loaded.data.flow)}
    />
  );
}

interface DrawnProps extends Props {
  readonly document: FlowDocument;
  /** Versions of the flows inside the flow, as the run executes them. */
  readonly versions: FlowVersions;
}

/** The graph with one iteration of each large loop, which a person picks: at first the selected or the first failed one. */
function WithIterations({ run, steps, selected, onSelect, document, versions }: DrawnProps) {
  const workspace = useWorkspace();
  const loops = useMemo(() => foldedLoops(steps), [steps]);
  const [picked, setPicked] = useState<ReadonlyMap<string, number>>(new Map());
  const failed = useQueries({
    queries: loops.map((loop) => ({
      ...stateQuery(workspace, run, loop.key, "failed", 1),
      enabled: (loop.iterations?.failed ?? 0) > 0,
    })),
    combine: (answers) => answers.map(({ data }) => data?.items[0]?.number),
  });
  const shown = loops.map(({ key }, at) => numberIn(selected, key) ?? picked.get(key) ?? failed[at] ?? 0);
  const inside = useQueries({
    queries: loops.map(({ key }, at) => insideQuery(workspace, run, `${key}[${shown[at]}]`)),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
  const all = useMemo(() => {
    const loopKeys = new Set(loops.map(({ key }) => key));
    // An iteration that is a single step has the node of its loop, which shows the numbers.
    const own = inside.filter((step) => !loopKeys.has(step.key.replace(/\[\d+\]$/, "")));
    return new Map([...steps, ...own.map((step) => [step.key, step] as const)]);
  }, [steps, inside, loops]);
  const pick = (loop: string, number: number) => {
    setPicked((before) => new Map(before).set(loop, number));
    if (numberIn(selected, loop) !== undefined) {
      onSelect(`${loop}[${number}]`);
    }
  };
  return (
    <>
      {loops.slice(0, PICKERS_MAX).map((loop, at) => (
        <div key={loop.key} className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 text-xs">
          <span className="font-mono">
            {loop.key}[{shown[at]}]
          </span>
          {loop.iterations !== undefined && (
            <LoopPicker
              run={run}
              loop={loop.key}
              size={begun(loop.iterations)}
              failed={loop.iterations.failed}
              current={shown[at]}
              onPick={(number) => pick(loop.key, number)}
            />
          )}
        </div>
      ))}
      <FlowGraph document={document} versions={versions} steps={all} selected={selected} onSelect={onSelect} />
    </>
  );
}

/** Large loops of a graph that have a picker. */
const PICKERS_MAX = 5;
