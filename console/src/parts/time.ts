import { words } from "#/words/words.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in at most two units: `48 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(millis: number): string {
  const { millisecond, second, minute, hour, day } = words.units;
  const length = Math.max(0, millis);
  if (length < SECOND) {
    return `${Math.round(length)} ${millisecond}`;
  }
  const tenths = (length / SECOND).toFixed(1);
  if (Number(tenths) < 10) {
    return `${tenths} ${second}`;
  }
  const seconds = Math.round(length / SECOND);
  if (seconds < 60) {
    return `${seconds} ${second}`;
  }
  if (seconds < HOUR / SECOND) {
    return two(seconds, 60, minute, second);
  }
  const minutes = Math.round(length / MINUTE);
  return minutes < DAY / MINUTE ? two(minutes, 60, hour, minute) : two(Math.round(length / HOUR), 24, day, hour);
}

/** @param count number of small units */
function two(count: number, inLarge: number, largeUnit: string, smallUnit: string): string {
  const rest = count % inLarge;
  return `${Math.floor(count / inLarge)} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ""}`;
}

/** How long ago a time was, or in how long it will be, in one unit. */
export function relativeText(time: number, now: number): string {
  const distance = Math.abs(now - time);
  if (distance < 2 * SECOND) {
    return words.common.justNow;
  }
  const { second, minute, hour, day } = words.units;
  const seconds = Math.round(distance / SECOND);
  const minutes = Math.round(distance / MINUTE);
  const hours = Math.round(distance / HOUR);
  const text =
    seconds < 60
      ? `${seconds} ${second}`
      : minutes < 60
        ? `${minutes} ${minute}`
        : // One day would stand for almost two.
          hours < 48
          ? `${hours} ${hour}`
          : `${Math.round(distance / DAY)} ${day}`;
  return time <= now ? words.common.ago(text) : words.common.within(text);
}

const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "long",
});

/** The time in the zone of the person, with seconds and the name of the zone. */
export function exactText(time: number): string {
  return exact.format(time);
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});

/** The time of the day in the zone of the person, with seconds. */
export function clockText(time: number): string {
  return clock.format(time);
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time in the zone of the person; without the date if that is today's. */
export function momentText(time: number, now: number): string {
  return new Date(time).toDateString() === new Date(now).toDateString() ? clockText(time) : moment.format(time);
}

/** A length of time as the API writes it, such as `7200s`, in the units of people; anything else stays as it is. */
export function lengthText(length: string | undefined): string | undefined {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(length ?? "")?.[1];
  return seconds === undefined ? length : durationText(Number(seconds) * SECOND);
}

/** The milliseconds of a time that the API gives, if it gives one. */
export function millisOf(time: string | undefined | null): number | undefined {
  return time === undefined || time === null ? undefined : Date.parse(time);
}
