import { Link } from "@tanstack/react-router";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import type { GraphNode, NodeStatus } from "#/pages/graph/graph_model.ts";
import { Icon } from "#/parts/icon.tsx";
import { STATE_CLASSES } from "#/parts/state_badge.tsx";
import { words } from "#/words/words.ts";

export type StepNodeData = {
  readonly node: GraphNode;
  readonly status: NodeStatus | undefined;
  /** Whether the graph is that of a run, in which a step without a status has not begun. */
  readonly isRun: boolean;
  readonly isSelected: boolean;
  /** Whether the flow that the step runs is shown inside it. */
  readonly isOpen: boolean;
  /** Shows the flow that a step runs, or hides it. */
  readonly onOpen: (key: string, flow: string) => void;
};

/** A step in the graph; one with steps inside is a frame around them. */
export const StepNodeView = memo(function StepNodeView({ data }: NodeProps<Node<StepNodeData>>) {
  const { node, status, isRun, isSelected, isOpen, onOpen } = data;
  const classes = status === undefined ? undefined : STATE_CLASSES[status.state];
  const isFrame = node.children.length > 0;
  const isBranch = node.kind === "branch" || node.kind === "case";
  const { flow } = node;
  // The steps of a run of its own are on the page of that run.
  const child = node.isRun === true ? status?.child : undefined;
  return (
    <div
      className={`flex h-full w-full rounded-lg border text-sm ${isFrame ? "items-start bg-ground/60" : "items-center bg-surface"} ${
        isSelected
          ? "border-2 border-accent"
          : classes === undefined
            ? "border-line-strong/60"
            : `border-current ${classes.text}`
      } ${isRun && status === undefined && !isBranch ? "border-dashed opacity-75" : ""}`}
    >
      <Handle type="target" position={Position.Top} className="invisible" />
      <div
        className={`flex w-full min-w-0 items-center gap-2 px-3 rounded-[7px] ${isFrame ? "py-2" : `h-full ${classes?.soft ?? ""}`}`}
      >
        {status !== undefined && (
          <Icon name={status.state} className={`${classes?.text ?? ""} ${status.state === "running" ? "pulse" : ""}`} />
        )}
        <span className="min-w-0 flex-1 leading-tight">
          <span className="block truncate font-medium text-text" title={node.key}>
            {node.label}
          </span>
          <span className="block truncate text-[13px] text-muted">
            {isBranch && !isFrame ? words.graph.nothing : (flow ?? node.kind)}
          </span>
        </span>
        {status !== undefined && status.all > 1 && (
          <span className="text-xs font-medium tabular-nums">{words.graph.iterations(status.ended, status.all)}</span>
        )}
        {child !== undefined ? (
          <Link
            to="/runs/$id"
            params={{ id: child }}
            className="nodrag nopan shrink-0 text-xs text-accent hover:underline"
            onClick={(event) => event.stopPropagation()}
          >
            {words.graph.openRun}
          </Link>
        ) : (
          flow !== undefined && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={isOpen ? words.graph.close(flow) : words.graph.open(flow)}
              title={isOpen ? words.graph.close(flow) : words.graph.open(flow)}
              className="nodrag nopan inline-flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-raised"
              onClick={(event) => {
                event.stopPropagation();
                onOpen(node.key, flow);
              }}
            >
              <Icon name="chevron" className={isOpen ? "rotate-90" : ""} />
            </button>
          )
        )}
      </div>
      <Handle type="source" position={Position.Bottom} className="invisible" />
    </div>
  );
});
