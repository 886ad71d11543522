import type { Activity, ActivityMinute } from "#/api/types.ts";

/** A part of the bar of a minute, from the ground up. */
export interface Part {
  readonly value: number;
  /** Classes for the color, which `currentColor` fills. */
  readonly className: string;
}

export interface Bar {
  /** When the minute began. */
  readonly time: number;
  readonly parts: readonly Part[];
  /** What the bar says. */
  readonly title: string;
}

/** Minutes that a row of the table for screen readers has. */
const TABLE_MINUTES = 10;

/** The height of a bar, in the unit of its values. */
export function heightOf(bar: Bar): number {
  return bar.parts.reduce((sum, { value }) => sum + value, 0);
}

/** The tallest minute of each ten, which says most. */
export function rowsOf(bars: readonly Bar[]): readonly Bar[] {
  const rows: Bar[] = [];
  for (let from = 0; from < bars.length; from += TABLE_MINUTES) {
    const tallest = bars
      .slice(from, from + TABLE_MINUTES)
      .reduce((one, other) => (heightOf(other) > heightOf(one) ? other : one));
    rows.push(tallest);
  }
  return rows;
}

/** Runs that ended in a minute, however they did. */
export function endedIn(minute: ActivityMinute): number {
  return minute.runs_succeeded + minute.runs_failed + minute.runs_canceled;
}

/** The runs of all minutes, by their ends. */
export function sums({ minutes }: Activity) {
  const sum = (value: (minute: ActivityMinute) => number) => minutes.reduce((all, minute) => all + value(minute), 0);
  const ended = sum(endedIn);
  const failed = sum((minute) => minute.runs_failed);
  return {
    accepted: sum((minute) => minute.runs_accepted),
    ended,
    failed,
    failedShare: ended === 0 ? 0 : failed / ended,
  };
}

/** Milliseconds of a duration of the API, such as `1.5s`; none if it is absent. */
export function durationMillis(duration: string | undefined): number {
  return duration === undefined ? 0 : Number.parseFloat(duration) * 1_000;
}
