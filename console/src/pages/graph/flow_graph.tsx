import "@xyflow/react/dist/style.css";
import { Background, Controls, type Edge, type Node, type NodeHandle, Position, ReactFlow } from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import type { Step } from "#/api/types.ts";
import type { FlowDocument } from "#/pages/definitions/flow_document.ts";
import { flowGraph, type Graph, type GraphNode, type NodeStatus, statuses } from "#/pages/graph/graph_model.ts";
import type { Box } from "#/pages/graph/layers.ts";
import { layOut } from "#/pages/graph/layout.ts";
import { type StepNodeData, StepNodeView } from "#/pages/graph/step_node_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

const NODE_TYPES = { step: StepNodeView };
const FIT = { maxZoom: 1, padding: 0.15 };

/** Number of nodes of a graph that is shown as a whole at first; of a larger one, only a part is drawn. */
const WHOLE_MAX = 200;
const FIRST_SEEN = 24;

interface Props {
  readonly document: FlowDocument;
  /** The steps of a run, for the graph of a run. */
  readonly steps: ReadonlyMap<string, Step> | undefined;
  readonly selected: string | undefined;
  readonly onSelect: ((step: string) => void) | undefined;
}

/** The graph of a flow, or of a run with the states of its steps: the same drawing for both. */
export function FlowGraph({ document, steps, selected, onSelect }: Props) {
  const graph = useMemo(() => flowGraph(document), [document]);
  const { boxes, failure } = useLayout(graph);
  const found = useMemo(() => (steps === undefined ? undefined : statuses(steps.values())), [steps]);
  const nodes = useMemo(
    () => (boxes === undefined ? [] : flowNodes(graph.nodes, boxes, found, selected)),
    [graph, boxes, found, selected],
  );
  const edges = useMemo<Edge[]>(
    () => graph.edges.map(({ from, to }) => ({ id: `${from}>${to}`, source: from, target: to, focusable: false })),
    [graph],
  );
  if (failure !== undefined) {
    return <ProblemView error={failure} />;
  }
  if (boxes === undefined) {
    return <Loading />;
  }
  return (
    <section aria-label={words.graph.title} className="graph h-[62vh] w-full rounded-lg bg-surface">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        fitView
        fitViewOptions={nodes.length > WHOLE_MAX ? { ...FIT, nodes: firstSeen(nodes) } : FIT}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={onSelect !== undefined}
        edgesFocusable={false}
        deleteKeyCode={null}
        onlyRenderVisibleElements={nodes.length > WHOLE_MAX}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_, node) => {
          const step = found?.get(node.id)?.step;
          if (step !== undefined) {
            onSelect?.(step);
          }
        }}
      >
        <Background color="var(--line)" />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}

/** The nodes of a large graph that are shown at first: around the one that is selected, failed or runs, else the first ones. */
function firstSeen(nodes: readonly Node<StepNodeData>[]): { id: string }[] {
  const wanted = [
    (node: Node<StepNodeData>) => node.data.isSelected,
    (node: Node<StepNodeData>) => node.data.status?.state === "failed",
    (node: Node<StepNodeData>) => node.data.status?.state === "running",
  ];
  const at = wanted.map((isWanted) => nodes.findIndex(isWanted)).find((index) => index >= 0) ?? 0;
  const from = Math.max(0, Math.min(at - FIRST_SEEN / 2, nodes.length - FIRST_SEEN));
  return nodes.slice(from, from + FIRST_SEEN).map(({ id }) => ({ id }));
}

function useLayout(graph: Graph): { boxes: ReadonlyMap<string, Box> | undefined; failure: unknown } {
  const [boxes, setBoxes] = useState<ReadonlyMap<string, Box>>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    let isCurrent = true;
    layOut(graph).then(
      (placed) => isCurrent && setBoxes(placed),
      (error: unknown) => isCurrent && setFailure(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [graph]);
  return { boxes, failure };
}

const HANDLE_SIZE = 6;

/**
 * Where the edges of a node begin and end, as the page measures it. A node without these is drawn to be measured, wherever it
 * is: of a graph of 1,000 nodes all would be, each time their states change.
 */
function handlesOf({ width, height }: Box): NodeHandle[] {
  const size = { width: HANDLE_SIZE, height: HANDLE_SIZE };
  const x = (width - HANDLE_SIZE) / 2;
  return [
    { type: "target", position: Position.Top, x, y: -HANDLE_SIZE / 2, ...size },
    { type: "source", position: Position.Bottom, x, y: height - HANDLE_SIZE / 2, ...size },
  ];
}

function flowNodes(
  nodes: readonly GraphNode[],
  boxes: ReadonlyMap<string, Box>,
  found: ReadonlyMap<string, NodeStatus> | undefined,
  selected: string | undefined,
  parent?: string,
): Node<StepNodeData>[] {
  return nodes.flatMap((node) => {
    const box = boxes.get(node.key);
    if (box === undefined) {
      return [];
    }
    const status = found?.get(node.key);
    const isSelected = selected !== undefined && selected.replaceAll(/\[\d+\]/g, "") === node.key;
    const own: Node<StepNodeData> = {
      id: node.key,
      type: "step",
      position: { x: box.x, y: box.y },
      width: box.width,
      height: box.height,
      ...(parent === undefined ? {} : { parentId: parent }),
      handles: handlesOf(box),
      data: { node, status, isRun: found !== undefined, isSelected },
      ariaLabel: status === undefined ? node.label : `${node.label}: ${words.states[status.state]}`,
    };
    return [own, ...flowNodes(node.children, boxes, found, selected, node.key)];
  });
}
