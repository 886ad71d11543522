import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Iteration, Run, Step } from "#/api/types.ts";
import { begun, foldedLoops, numberIn } from "#/live/folded.ts";
import { LoopPicker } from "#/pages/run/loops/loop_picker.tsx";
import { LISTED_MAX } from "#/pages/run/loops/loop_queries.ts";
import { AttemptList } from "#/pages/run/timeline/attempt_list.tsx";
import type { Attempt } from "#/pages/run/timeline/attempts.ts";
import { type StepNode, since, spanOf, stateOf, stepTree } from "#/pages/run/timeline/step_tree.ts";
import {
  type Folds,
  type IterationRow,
  keyOf,
  type NodeRow,
  type PickerRow,
  pickerAbove,
  type TimelineRow,
  timelineRows,
} from "#/pages/run/timeline/timeline_rows.ts";
import { useAttempts } from "#/pages/run/timeline/use_attempts.ts";
import { type Filters, isFailedOnly, useIterations, useLoops } from "#/pages/run/timeline/use_loops.ts";
import { useNow } from "#/parts/clock.ts";
import { Icon } from "#/parts/icon.tsx";
import { isEnded, STATE_CLASSES } from "#/parts/state_badge.tsx";
import { flowOf } from "#/parts/target.ts";
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
  const [filters, setFilters] = useState<Filters>(new Map());
  const [goal, setGoal] = useState<string>();
  const tree = useMemo(() => stepTree(steps.values()), [steps]);
  const retried = useMemo(() => retriedJobs(run, steps), [run, steps]);
  const attempts = useAttempts(run, retried);
  const [nested, setNested] = useState<readonly Step[]>([]);
  const folded = useMemo(() => [...foldedLoops(steps), ...nested], [steps, nested]);
  const loops = useLoops(run, folded, folds, filters);
  const rows = useMemo(
    () => timelineRows(tree.length > 0 ? tree : [lonely(run)], folds, loops),
    [tree, folds, run, loops],
  );
  useEffect(() => setNested((before) => nestedLoops(rows, before)), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  /** Index of the line with the buttons of the loop that is looked at, which stays in sight. */
  const stuck = useRef<number | undefined>(undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    // What is scrolled to must not end up below the line that stays.
    scrollPaddingStart: ROW_HEIGHT,
    rangeExtractor: (range) => {
      stuck.current = pickerAbove(rows, range.startIndex);
      const indexes = defaultRangeExtractor(range);
      return stuck.current === undefined || indexes.includes(stuck.current) ? indexes : [stuck.current, ...indexes];
    },
  });
  const shown = virtual.getVirtualItems().flatMap((item) => {
    const row = rows[item.index];
    return row === undefined ? [] : [{ item, row }];
  });
  const iterations = useIterations(
    run,
    shown.flatMap(({ row }) => (row.kind === "iteration" ? [row] : [])),
  );
  useEffect(() => {
    const at = goal === undefined ? -1 : rows.findIndex((row) => keyOf(row) === goal);
    if (at >= 0) {
      virtual.scrollToIndex(at, { align: "center" });
      setGoal(undefined);
    }
  }, [goal, rows, virtual]);
  const begin = millisOf(run.create_time) ?? now;
  const end = Math.max(millisOf(run.end_time) ?? now, begin + 1);
  const fold = (key: string, isOpen: boolean) => setFolds((before) => new Map(before).set(key, !isOpen));
  const pick = (loop: Step, number: number) => {
    const key = `${loop.key}[${number}]`;
    setFilters((before) => new Map(before).set(loop.key, "all"));
    setGoal(key);
    onSelect(key);
  };
  const line = (node: StepNode, { depth, isOpen, isFoldable, inside }: Shape) => (
    <Line
      node={node}
      depth={depth}
      isOpen={isOpen}
      isFoldable={isFoldable}
      inside={inside}
      begin={begin}
      end={end}
      now={now}
      isSelected={node.key === selected}
      isTaken={run.origin?.relation === "rerun" && (spanOf(node).ended ?? end) < begin}
      attempts={attempts.get(node.step?.job_id ?? "") ?? NO_ATTEMPTS}
      onFold={() => fold(node.key, isOpen)}
      onSelect={() => onSelect(node.key)}
    />
  );
  // No panel shows them for the job of a run without a flow.
  const lone = flowOf(run) === undefined ? (attempts.get(run.id) ?? NO_ATTEMPTS) : NO_ATTEMPTS;
  const content = (row: TimelineRow) => {
    switch (row.kind) {
      case "node":
        return line(row.node, row);
      case "picker":
        return (
          <PickerLine
            run={run}
            row={row}
            selected={selected}
            isFailedOnly={isFailedOnly(row.loop, filters)}
            onFilter={(filter) => setFilters((before) => new Map(before).set(row.loop.key, filter))}
            onPick={(number) => pick(row.loop, number)}
          />
        );
      case "iteration": {
        const key = keyOf(row);
        const isSingle = row.isOpen && loops.inside(key)?.length === 0;
        return line(iterationNode(row, iterations.get(key)), { ...row, isFoldable: !isSingle, inside: NOTHING });
      }
    }
  };
  return (
    <div>
      <Axis length={end - begin} />
      <div ref={scroller} className="max-h-[60vh] overflow-y-auto">
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ item, row }) => (
            <div
              key={keyOf(row)}
              {...(item.index === stuck.current
                ? { className: "sticky top-0 z-20 border-b border-line bg-surface", style: { height: ROW_HEIGHT } }
                : {
                    className: "absolute inset-x-0 top-0",
                    style: { height: ROW_HEIGHT, transform: `translateY(${item.start}px)` },
                  })}
            >
              {content(row)}
            </div>
          ))}
        </div>
      </div>
      {lone.length > 0 && (
        <div className="border-t border-line p-3">
          <AttemptList attempts={lone} />
        </div>
      )}
    </div>
  );
}

const NO_ATTEMPTS: readonly Attempt[] = [];
const NOTHING = { all: 0, ended: 0, failed: 0 };

/** An iteration as a line shows it; one that has not been read has neither state nor times. */
function iterationNode(row: IterationRow, iteration: Iteration | undefined): StepNode {
  const label = `[${row.number}]`;
  if (iteration === undefined) {
    return { key: keyOf(row), label, step: undefined, children: [] };
  }
  const { key, state, number: _, ...times } = iteration;
  return { key, label, step: { job_id: "", key, kind: "script", state, attempt: 1, ...times }, children: [] };
}

/** The large loops inside iterations that are open; the same list if they are the same. */
function nestedLoops(rows: readonly TimelineRow[], before: readonly Step[]): readonly Step[] {
  const found = rows.flatMap((row) =>
    row.kind === "node" && row.node.step?.iterations !== undefined && row.node.key.includes("[") ? [row.node.step] : [],
  );
  return found.length === before.length && found.every((step, at) => step === before[at]) ? before : found;
}

/**
 * The present attempts at jobs that had earlier ones. Of the job of a run without a flow, nobody knows how many; once it has
 * ended, it waits for none.
 */
function retriedJobs(run: Run, steps: ReadonlyMap<string, Step>): ReadonlyMap<string, number> {
  if (flowOf(run) === undefined) {
    return new Map([[run.id, isEnded(run.state) ? 1 : Number.POSITIVE_INFINITY]]);
  }
  return new Map([...steps.values()].flatMap((step) => (step.attempt > 1 ? [[step.job_id, step.attempt]] : [])));
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

type Shape = Pick<NodeRow, "depth" | "isOpen" | "isFoldable" | "inside">;

interface LineProps extends Shape {
  readonly node: StepNode;
  readonly begin: number;
  readonly end: number;
  readonly now: number;
  readonly isSelected: boolean;
  /** Whether the result comes from the run before. */
  readonly isTaken: boolean;
  /** If there were several. */
  readonly attempts: readonly Attempt[];
  readonly onFold: () => void;
  readonly onSelect: () => void;
}

function Line(props: LineProps) {
  const { node, depth, isOpen, isFoldable, inside, begin, end, now, isSelected, isTaken, attempts, onFold, onSelect } =
    props;
  const state = stateOf(node);
  const span = since(begin, spanOf(node));
  const stop = span.ended ?? (isEnded(state) ? (span.started ?? end) : now);
  const classes = STATE_CLASSES[state];
  const attempt = node.step?.attempt ?? 1;
  const title = [
    node.key || node.label,
    words.states[state],
    attempt > 1 ? words.timeline.attempt(attempt) : "",
    node.step?.worker ? words.timeline.worker(node.step.worker) : "",
  ].filter(Boolean);
  const earlier = attempts.filter(({ begin: from }) => span.started === undefined || from < span.started);
  return (
    <div
      className={`${COLUMNS} relative h-full text-sm ${isSelected ? "bg-accent-soft" : "hover:bg-raised"}`}
      title={title.join(" · ")}
    >
      <span className="flex min-w-0 items-center gap-1" style={{ paddingLeft: Math.min(depth, 8) * 14 }}>
        {isFoldable ? (
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
            title={
              inside.isUncounted === true
                ? words.timeline.uncounted(inside.all)
                : words.timeline.iterations(inside.ended, inside.all, inside.failed)
            }
          >
            <span className="max-sm:sr-only">
              {inside.isUncounted === true ? inside.all : `${inside.ended}/${inside.all}`}
            </span>
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
            {earlier.map((one) => (
              <Bar
                key={one.number}
                from={one.begin}
                to={one.end ?? now}
                begin={begin}
                end={end}
                className={`${one.hasFailed ? "bg-failed" : classes.solid} min-w-[3px]`}
                label={`${words.timeline.attempt(one.number)} ${one.hasFailed ? words.states.failed : ""}`.trim()}
              />
            ))}
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
  /** For those who do not see it, if nothing else says the same. */
  readonly label?: string;
}

function Bar({ from, to, begin, end, className, label }: BarProps) {
  if (from === undefined || to < from) {
    return null;
  }
  const share = (time: number) => Math.min(1, Math.max(0, (time - begin) / (end - begin)));
  const left = Math.min(share(from), 0.995);
  return (
    <span
      className={`absolute inset-y-0 rounded-[3px] ${className}`}
      style={{ left: `${left * 100}%`, width: `${Math.max(share(to) - left, 0) * 100}%` }}
    >
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}

interface PickerProps {
  readonly run: Run;
  readonly row: PickerRow;
  readonly selected: string | undefined;
  readonly isFailedOnly: boolean;
  readonly onFilter: (filter: "all" | "failed") => void;
  readonly onPick: (number: number) => void;
}

/** The line below an open loop: which iterations are shown, and where to go. */
function PickerLine({ run, row: { loop, depth }, selected, isFailedOnly, onFilter, onPick }: PickerProps) {
  const counts = loop.iterations;
  if (counts === undefined) {
    return null;
  }
  return (
    <div
      className="flex h-full items-center gap-2 overflow-x-auto pr-2 text-xs"
      style={{ paddingLeft: Math.min(depth, 8) * 14 + 32 }}
    >
      <span className="max-w-40 truncate font-mono text-muted max-sm:hidden">{loop.key}</span>
      {counts.failed > 0 && (
        <select
          aria-label={words.loops.filter(loop.key)}
          value={isFailedOnly ? "failed" : "all"}
          onChange={(event) => onFilter(event.target.value === "failed" ? "failed" : "all")}
          className="h-7 rounded-md border border-line bg-ground px-1"
        >
          <option value="failed">{words.loops.failed(counts.failed)}</option>
          <option value="all">{words.loops.all(begun(counts))}</option>
        </select>
      )}
      <LoopPicker
        run={run}
        loop={loop.key}
        size={begun(counts)}
        failed={counts.failed}
        current={numberIn(selected, loop.key)}
        onPick={onPick}
      />
      {isFailedOnly && counts.failed > LISTED_MAX && <span>{words.loops.first(LISTED_MAX)}</span>}
    </div>
  );
}
