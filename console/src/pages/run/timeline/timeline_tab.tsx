import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import type { Run, Step } from "#/api/types.ts";
import { isReused } from "#/pages/run/reused.ts";
import { type StepNode, spanOf, stateOf, stepTree } from "#/pages/run/timeline/step_tree.ts";
import { type Folds, type TimelineRow, timelineRows } from "#/pages/run/timeline/timeline_rows.ts";
import { useNow } from "#/parts/clock.ts";
import { Icon } from "#/parts/icon.tsx";
import { isEnded, STATE_CLASSES } from "#/parts/state_badge.tsx";
import { durationText, millisOf } from "#/parts/time.ts";
import { words } from "#/words/words.ts";

const ROW_HEIGHT = 34;

interface Props {
  readonly run: Run;
  readonly steps: ReadonlyMap<string, Step>;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** When each step waited and ran. A run without a flow has the single line of its job. */
export function TimelineTab({ run, steps, selected, onSelect }: Props) {
  const now = useNow();
  const [folds, setFolds] = useState<Folds>(new Map());
  const tree = useMemo(() => stepTree(steps.values()), [steps]);
  const rows = useMemo(() => timelineRows(tree.length > 0 ? tree : [lonely(run)], folds), [tree, folds, run]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const begin = millisOf(run.create_time) ?? now;
  const end = Math.max(millisOf(run.end_time) ?? now, begin + 1);
  const fold = (row: TimelineRow) => setFolds((before) => new Map(before).set(row.node.key, !row.isOpen));
  return (
    <div>
      <Axis length={end - begin} />
      <div ref={scroller} className="max-h-[60vh] overflow-y-auto">
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <div
                key={row.node.key}
                className="absolute inset-x-0 top-0"
                style={{ height: ROW_HEIGHT, transform: `translateY(${item.start}px)` }}
              >
                <Line
                  row={row}
                  begin={begin}
                  end={end}
                  now={now}
                  isSelected={row.node.key === selected}
                  isTaken={isReused(row.node.step, run)}
                  onFold={() => fold(row)}
                  onSelect={() => onSelect(row.node.key)}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The job of a run without a flow, as if it were a step. */
function lonely(run: Run): StepNode {
  const times = {
    create_time: run.create_time,
    ...(run.start_time === undefined ? {} : { start_time: run.start_time }),
    ...(run.end_time === undefined ? {} : { end_time: run.end_time }),
  };
  const step: Step = { job_id: run.id, key: "", kind: "script", state: run.state, attempt: 1, ...times };
  return { key: "", label: run.name, step, children: [] };
}

const COLUMNS =
  "grid grid-cols-[minmax(7rem,34%)_1fr_4.5rem] items-center gap-2 px-2 sm:grid-cols-[minmax(12rem,28%)_1fr_5.5rem]";

function Axis({ length }: { length: number }) {
  return (
    <div className={`${COLUMNS} border-b border-line py-1 text-xs text-muted`}>
      <span />
      <span className="flex justify-between tabular-nums">
        <span>0</span>
        <span className="max-sm:hidden">{durationText(length / 2)}</span>
        <span>{durationText(length)}</span>
      </span>
      <span className="text-right">{words.run.duration}</span>
    </div>
  );
}

interface LineProps {
  readonly row: TimelineRow;
  readonly begin: number;
  readonly end: number;
  readonly now: number;
  readonly isSelected: boolean;
  /** Whether the result comes from the run before. */
  readonly isTaken: boolean;
  readonly onFold: () => void;
  readonly onSelect: () => void;
}

function Line({ row, begin, end, now, isSelected, isTaken, onFold, onSelect }: LineProps) {
  const { node, depth, isOpen, inside } = row;
  const state = stateOf(node);
  const span = spanOf(node);
  const stop = span.ended ?? (isEnded(state) ? (span.started ?? end) : now);
  const classes = STATE_CLASSES[state];
  const attempt = node.step?.attempt ?? 1;
  const title = [
    node.key || node.label,
    words.states[state],
    attempt > 1 ? words.timeline.attempt(attempt) : "",
    node.step?.worker ? words.timeline.worker(node.step.worker) : "",
  ].filter(Boolean);
  return (
    <div
      className={`${COLUMNS} relative h-full text-sm ${isSelected ? "bg-accent-soft" : "hover:bg-raised"}`}
      title={title.join(" · ")}
    >
      <span className="flex min-w-0 items-center gap-1" style={{ paddingLeft: Math.min(depth, 8) * 14 }}>
        {node.children.length > 0 ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? words.timeline.collapse(node.key) : words.timeline.expand(node.key)}
            onClick={onFold}
            className="relative z-10 inline-flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-raised"
          >
            <Icon name="chevron" className={isOpen ? "rotate-90" : ""} />
          </button>
        ) : (
          <span className="w-6 shrink-0" />
        )}
        <Icon name={state} className={`size-3.5 ${classes.text}`} />
        <span className="sr-only">{words.states[state]}</span>
        <button
          type="button"
          data-entry
          aria-pressed={isSelected}
          onClick={onSelect}
          className="min-w-0 truncate text-left font-mono text-xs after:absolute after:inset-0"
        >
          {node.label}
        </button>
        {inside.all > 0 && (
          <span
            className="shrink-0 text-xs text-muted"
            title={words.timeline.iterations(inside.ended, inside.all, inside.failed)}
          >
            {inside.ended}/{inside.all}
            {inside.failed > 0 && <span className="ml-1 text-failed">✕{inside.failed}</span>}
          </span>
        )}
      </span>
      <span className="relative h-4">
        {!isTaken && (
          <>
            <Bar
              from={span.created}
              to={span.started ?? stop}
              begin={begin}
              end={end}
              className="hatched text-queued"
            />
            <Bar from={span.started} to={stop} begin={begin} end={end} className={`${classes.solid} min-w-[3px]`} />
          </>
        )}
      </span>
      <span className="text-right text-xs text-muted tabular-nums">
        {isTaken
          ? words.compare.reused
          : span.started === undefined
            ? node.step?.kind === "wait"
              ? words.timeline.waits
              : words.timeline.queued
            : durationText(stop - span.started)}
      </span>
    </div>
  );
}

interface BarProps {
  readonly from: number | undefined;
  readonly to: number;
  readonly begin: number;
  readonly end: number;
  readonly className: string;
}

function Bar({ from, to, begin, end, className }: BarProps) {
  if (from === undefined || to < from) {
    return null;
  }
  const share = (time: number) => Math.min(1, Math.max(0, (time - begin) / (end - begin)));
  const left = Math.min(share(from), 0.995);
  return (
    <span
      className={`absolute inset-y-0 rounded-[3px] ${className}`}
      style={{ left: `${left * 100}%`, width: `${Math.max(share(to) - left, 0) * 100}%` }}
    />
  );
}
