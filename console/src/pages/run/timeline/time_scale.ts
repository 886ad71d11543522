import type { Attempt } from "#/pages/run/timeline/attempts.ts";
import { type StepNode, spanOf } from "#/pages/run/timeline/step_tree.ts";

/** A stretch of time in milliseconds since 1970; one that lasts has no end. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A stretch in which nothing ran, drawn shorter than it was, and its place in shares of the width. */
export interface Cut extends Interval {
  readonly left: number;
  readonly right: number;
}

/** Where times lie on the axis of a timeline, from 0 to 1. */
export interface TimeScale {
  readonly share: (time: number) => number;
  readonly timeAt: (share: number) => number;
  readonly cuts: readonly Cut[];
}

/** A stretch without work is cut if it takes more of the whole than this. */
const IDLE_SHARE_MAX = 0.25;
/** Width of a cut, in shares of what is not cut. */
const CUT_SHARE = 0.12;
/** Work that is shorter than this lies in nobody's way, and need not be seen larger. */
const BUSY_MILLIS_MIN = 1;

/**
 * When any of these nodes ran, in order, without overlaps. Waits for people, times and signals are no work; attempts that failed
 * are.
 */
export function busyIntervals(roots: readonly StepNode[], attempts: Iterable<readonly Attempt[]>): readonly Interval[] {
  const found: Interval[] = [...attempts]
    .flat()
    .map(({ begin, end }) => ({ from: begin, to: end ?? Number.POSITIVE_INFINITY }));
  const add = (node: StepNode) => {
    if (node.children.length > 0) {
      node.children.forEach(add);
    } else if (node.step?.kind !== "wait") {
      const { started, ended } = spanOf(node);
      if (started !== undefined) {
        found.push({ from: started, to: ended ?? Number.POSITIVE_INFINITY });
      }
    }
  };
  roots.forEach(add);
  return merged(found);
}

function merged(intervals: Interval[]): readonly Interval[] {
  intervals.sort((one, other) => one.from - other.from);
  const result: Interval[] = [];
  for (const interval of intervals) {
    const last = result.at(-1);
    if (last !== undefined && interval.from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, interval.to) };
    } else {
      result.push(interval);
    }
  }
  return result;
}

/**
 * The scale of a timeline. Long stretches in which nothing ran are cut, because an approval of a day would leave no width
 * for work of seconds.
 */
export function timeScale(begin: number, end: number, busy: readonly Interval[]): TimeScale {
  const idle = idleIn(begin, end, busy);
  const isLong = ({ from, to }: Interval) => (to - from) / (end - begin) > IDLE_SHARE_MAX;
  const hasWork = busy.some(({ from, to }) => Math.min(to, end) - Math.max(from, begin) >= BUSY_MILLIS_MIN);
  const long = hasWork ? idle.filter(isLong) : [];
  const kept = end - begin - long.reduce((sum, { from, to }) => sum + to - from, 0);
  const cutWidth = kept * CUT_SHARE;
  const width = kept + long.length * cutWidth;
  const widthBefore = (time: number) => {
    let left = time - begin;
    for (const { from, to } of long) {
      if (time > from) {
        const inside = Math.min(time, to) - from;
        left += (inside / (to - from)) * cutWidth - inside;
      }
    }
    return left / width;
  };
  const share = (time: number) => Math.min(1, Math.max(0, widthBefore(time)));
  const cuts = long.map((interval) => ({ ...interval, left: share(interval.from), right: share(interval.to) }));
  return { share, timeAt: (wanted) => timeAt(wanted, begin, end, share), cuts };
}

/** The stretches between those in which something ran. */
function idleIn(begin: number, end: number, busy: readonly Interval[]): readonly Interval[] {
  const idle: Interval[] = [];
  let from = begin;
  for (const interval of busy) {
    if (interval.from > from) {
      idle.push({ from, to: Math.min(interval.from, end) });
    }
    from = Math.max(from, interval.to);
  }
  return from < end ? [...idle, { from, to: end }] : idle;
}

const HALVINGS = 50;

/** The time at a place of the axis: the scale only grows, so that halving finds it. */
function timeAt(wanted: number, begin: number, end: number, share: (time: number) => number): number {
  let [low, high] = [begin, end];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (share(middle) < wanted) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}
