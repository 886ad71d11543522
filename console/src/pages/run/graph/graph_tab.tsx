import type { Run, Step } from "#/api/types.ts";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { FlowGraph } from "#/pages/graph/flow_graph.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { flowOf } from "#/parts/target.ts";
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
  return <FlowGraph document={loaded.data.document} steps={steps} selected={selected} onSelect={onSelect} />;
}
