import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Iteration, Run, Step } from "#/api/types.ts";
import { begun, foldedLoops, numberIn } from "#/live/folded.ts";
import { LoopPicker } from "#/pages/run/loops/loop_picker.tsx";
import { LISTED_MAX } from "#/pages/run/loops/loop_queries.ts";
import type { BranchNames } from "#/pages/run/loops/use_branch_names.ts";
import { AttemptList } from "#/pages/run/timeline/attempt_list.tsx";
import { type Attempt, firstAttempt } from "#/pages/run/timeline/attempts.ts";
import { outerKey, type StepNode, spanOf, stepTree } from "#/pages/run/timeline/step_tree.ts";
import { busyIntervals, timeScale } from "#/pages/run/timeline/time_scale.ts";
import { Axis, ROW_HEIGHT, type Shape, TimelineLine } from "#/pages/run/timeline/timeline_line.tsx";
import {
  type Folds,
  type IterationRow,
  keyOf,
  type PickerRow,
  pickerAbove,
  type TimelineRow,
  timelineRows,
} from "#/pages/run/timeline/timeline_rows.ts";
import { retriedJobs, useAttempts } from "#/pages/run/timeline/use_attempts.ts";
import { type Filters, isFailedOnly, useIterations, useLoops } from "#/pages/run/timeline/use_loops.ts";
import { useNow } from "#/parts/clock.ts";
import { runStart } from "#/parts/own_times.ts";
import { flowOf } from "#/parts/target.ts";
import { millisOf } from "#/parts/time.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly run: Run;
  readonly steps: ReadonlyMap<string, Step>;
  readonly branches: BranchNames;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** When each step waited and ran. A run without a flow has the single line of its job. */
export function TimelineTab({ run, steps, branches, selected, onSelect }: Props) {
  const now = useNow();
  const [folds, setFolds] = useState<Folds>(new Map());
  const [filters, setFilters] = useState<Filters>(new Map());
  const [goal, setGoal] = useState<string>();
  const tree = useMemo(() => stepTree(steps.values()), [steps]);
  const retried = useMemo(() => retriedJobs(run, steps), [run, steps]);
  const attempts = useAttempts(run, retried);
  const [nested, setNested] = useState<readonly Step[]>([]);
  const folded = useMemo(() => [...foldedLoops(steps), ...nested], [steps, nested]);
  const loops = useLoops(run, steps, folded, folds, filters);
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
  // Whatever selects a step, its line comes into sight: what is around it opens, then the line is scrolled to.
  useEffect(() => {
    setGoal(selected);
    setFolds((before) => opened(before, selected));
  }, [selected]);
  useEffect(() => {
    const at = goal === undefined ? -1 : rows.findIndex((row) => keyOf(row) === goal);
    if (at >= 0) {
      virtual.scrollToIndex(at, { align: "auto" });
      setGoal(undefined);
      requestAnimationFrame(() => lineOf(scroller.current, at)?.scrollIntoView({ block: "nearest" }));
    }
  }, [goal, rows, virtual]);
  const busy = useMemo(() => busyIntervals(tree, attempts.values()), [tree, attempts]);
  // No panel shows them for the job of a run without a flow.
  const lone = flowOf(run) === undefined ? (attempts.get(run.id) ?? NO_ATTEMPTS) : NO_ATTEMPTS;
  // A run counts from the last attempt at its first job, but its earlier ones are shown, too.
  const started = millisOf(runStart(run, steps.values())) ?? millisOf(run.create_time) ?? now;
  const begin = Math.min(started, firstAttempt(attempts) ?? started);
  const end = Math.max(millisOf(run.end_time) ?? now, begin + 1);
  const scale = timeScale(begin, end, busy);
  const fold = (key: string, isOpen: boolean) => setFolds((before) => new Map(before).set(key, !isOpen));
  const pick = (loop: Step, number: number) => {
    const key = `${loop.key}[${number}]`;
    setFilters((before) => new Map(before).set(loop.key, "all"));
    setGoal(key);
    onSelect(key);
  };
  const line = (node: StepNode, { depth, isOpen, isFoldable, inside }: Shape) => (
    <TimelineLine
      node={node}
      branch={branches(node.key)}
      depth={depth}
      isOpen={isOpen}
      isFoldable={isFoldable}
      inside={inside}
      begin={begin}
      end={end}
      now={now}
      scale={scale}
      isSelected={node.key === selected}
      isTaken={run.origin?.relation === "rerun" && (spanOf(node).ended ?? end) < begin}
      attempts={attempts.get(node.step?.job_id ?? "") ?? NO_ATTEMPTS}
      onFold={() => fold(node.key, isOpen)}
      onSelect={() => onSelect(node.key)}
    />
  );
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
      <Axis begin={begin} scale={scale} />
      <div ref={scroller} className="max-h-[max(24rem,calc(100vh-7rem))] overflow-y-auto">
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ item, row }) => (
            <div
              key={keyOf(row)}
              data-line={item.index}
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

/** What a person has opened, and what is around a step that is selected. */
function opened(before: Folds, selected: string | undefined): Folds {
  const around: string[] = [];
  for (let key = outerKey(selected ?? ""); key !== ""; key = outerKey(key)) {
    around.push(key);
  }
  return around.every((key) => before.get(key) === true)
    ? before
    : new Map([...before, ...around.map((key) => [key, true] as const)]);
}

function lineOf(scroller: HTMLElement | null, index: number): Element | null | undefined {
  return scroller?.querySelector(`[data-line="${index}"]`);
}

const NO_ATTEMPTS: readonly Attempt[] = [];
const NOTHING = { all: 0, begun: 0, ended: 0, failed: 0 };

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
