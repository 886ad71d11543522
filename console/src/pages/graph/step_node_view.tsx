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
};

/** A step in the graph; one with steps inside is a frame around them. */
export const StepNodeView = memo(function StepNodeView({ data }: NodeProps<Node<StepNodeData>>) {
  const { node, status, isRun, isSelected } = data;
  const classes = status === undefined ? undefined : STATE_CLASSES[status.state];
  const isFrame = node.children.length > 0;
  return (
    <div
      className={`flex h-full w-full rounded-lg border text-sm ${isFrame ? "items-start bg-ground/60" : "items-center bg-surface"} ${
        isSelected
          ? "border-2 border-accent"
          : classes === undefined
            ? "border-line-strong/60"
            : `border-current ${classes.text}`
      } ${isRun && status === undefined && node.kind !== "branch" ? "border-dashed opacity-75" : ""}`}
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
          <span className="block truncate text-[11px] text-muted">{node.kind}</span>
        </span>
        {status !== undefined && status.all > 1 && (
          <span className="text-xs font-medium tabular-nums">{words.graph.iterations(status.ended, status.all)}</span>
        )}
      </div>
      <Handle type="source" position={Position.Bottom} className="invisible" />
    </div>
  );
});
