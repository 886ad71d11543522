import "@xyflow/react/dist/style.css";
import {
  Background,
  Controls,
  type Edge,
  MarkerType,
  type Node,
  type NodeHandle,
  Position,
  ReactFlow,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Step } from "#/api/types.ts";
import type { FlowDocument } from "#/pages/definitions/flow_document.ts";
import { absoluteBoxes, firstView, MARGIN, READABLE_ZOOM, sizeOfGraph } from "#/pages/graph/first_view.ts";
import {
  flowGraph,
  type Graph,
  type GraphNode,
  type NodeStatus,
  type OpenFlows,
  statuses,
} from "#/pages/graph/graph_model.ts";
import type { Box } from "#/pages/graph/layers.ts";
import { layOut } from "#/pages/graph/layout.ts";
import { type StepNodeData, StepNodeView } from "#/pages/graph/step_node_view.tsx";
import { type FlowVersions, useOpenFlows } from "#/pages/graph/use_open_flows.ts";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

const NO_VERSIONS: FlowVersions = new Map();
const NODE_TYPES = { step: StepNodeView };
/** Number of nodes of a graph that is drawn as a whole; of a larger one, only what is in sight. */
const WHOLE_MAX = 200;
/** Heights of the window of a graph, in pixels; the least has room for the buttons. */
const HEIGHT_MIN = 220;
const ARROW = { type: MarkerType.ArrowClosed, width: 18, height: 18, color: "var(--line-strong)" };

interface Props {
  readonly document: FlowDocument;
  /** Versions of the flows inside it; in a definition that is not deployed, those of today. */
  readonly versions?: FlowVersions;
  /** The steps of a run, for the graph of a run. */
  readonly steps: ReadonlyMap<string, Step> | undefined;
  readonly selected: string | undefined;
  readonly onSelect: ((step: string) => void) | undefined;
}

/** The graph of a flow, or of a run with the states of its steps: the same drawing for both. */
export function FlowGraph({ document, versions = NO_VERSIONS, steps, selected, onSelect }: Props) {
  const { open, toggle } = useOpenFlows(versions);
  const graph = useMemo(() => flowGraph(document, open), [document, open]);
  const window = useRef<HTMLElement>(null);
  const { boxes, failure } = useLayout(graph);
  const found = useMemo(() => (steps === undefined ? undefined : statuses(steps.values())), [steps]);
  const toggleNow = useRef(toggle);
  toggleNow.current = toggle;
  const onOpen = useCallback((key: string, flow: string) => toggleNow.current(key, flow), []);
  const nodes = useMemo(
    () => (boxes === undefined ? [] : flowNodes(graph.nodes, boxes, { found, selected, open, onOpen })),
    [graph, boxes, found, selected, open, onOpen],
  );
  const edges = useMemo<Edge[]>(
    () =>
      graph.edges.map(({ from, to }) => ({
        id: `${from}>${to}`,
        source: from,
        target: to,
        focusable: false,
        markerEnd: ARROW,
      })),
    [graph],
  );
  if (failure !== undefined) {
    return <ProblemView error={failure} />;
  }
  if (boxes === undefined) {
    return <Loading />;
  }
  const size = sizeOfGraph(graph.nodes, boxes);
  const height = Math.max(HEIGHT_MIN, size.height * READABLE_ZOOM + 2 * MARGIN);
  return (
    <section
      ref={window}
      aria-label={words.graph.title}
      className="graph max-h-[max(24rem,calc(100vh-7rem))] w-full rounded-lg bg-surface"
      style={{ height }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onInit={(flow) => {
          const { clientWidth = 0, clientHeight = 0 } = window.current ?? {};
          const focus = absoluteBoxes(graph.nodes, boxes).get(focusOf(nodes) ?? "");
          void flow.setViewport(firstView(size, { width: clientWidth, height: clientHeight }, focus));
        }}
        minZoom={0.05}
        maxZoom={2}
        // The wheel scrolls, as everywhere on the page; with Ctrl, it makes the graph larger.
        panOnScroll
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
        <Controls showInteractive={false} position="top-right" />
      </ReactFlow>
    </section>
  );
}

/** The node at which a graph begins: the one that is selected, failed or runs, the innermost of several; none for the top. */
function focusOf(nodes: readonly Node<StepNodeData>[]): string | undefined {
  const wanted = [
    (node: Node<StepNodeData>) => node.data.isSelected,
    (node: Node<StepNodeData>) => node.data.status?.state === "failed",
    (node: Node<StepNodeData>) => node.data.status?.state === "running",
  ];
  for (const isWanted of wanted) {
    const found = nodes.filter(isWanted);
    if (found.length > 0) {
      return found.find(({ data }) => data.node.children.length === 0)?.id ?? found[0]?.id;
    }
  }
  return undefined;
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

interface Drawn {
  readonly found: ReadonlyMap<string, NodeStatus> | undefined;
  readonly selected: string | undefined;
  readonly open: OpenFlows;
  readonly onOpen: StepNodeData["onOpen"];
}

function flowNodes(
  nodes: readonly GraphNode[],
  boxes: ReadonlyMap<string, Box>,
  drawn: Drawn,
  parent?: string,
): Node<StepNodeData>[] {
  const { found, selected, open, onOpen } = drawn;
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
      data: { node, status, isRun: found !== undefined, isSelected, isOpen: open.has(node.key), onOpen },
      ariaLabel: status === undefined ? node.label : `${node.label}: ${words.states[status.state]}`,
    };
    return [own, ...flowNodes(node.children, boxes, drawn, node.key)];
  });
}
