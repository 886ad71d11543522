/** The beginning of an id: at least eight digits, which stand for about a minute. */
const PREFIX = /^[0-9a-f]{8}(-[0-9a-f]{0,4}){0,3}(-[0-9a-f]{0,12})?$/;
/** Digits of an id that are its time in milliseconds. */
const TIME_DIGITS = 12;
/** How far the clock that made an id may be away from that of the database, which says when a run was accepted. */
const CLOCKS_MILLIS = 10_000;

/** The times between which the runs were accepted whose ids begin so; undefined for what is no beginning of an id. */
export function acceptedBetween(prefix: string): { readonly from: Date; readonly before: Date } | undefined {
  if (!PREFIX.test(prefix)) {
    return undefined;
  }
  const digits = prefix.replaceAll("-", "").slice(0, TIME_DIGITS);
  const first = Number.parseInt(digits.padEnd(TIME_DIGITS, "0"), 16);
  const last = Number.parseInt(digits.padEnd(TIME_DIGITS, "f"), 16);
  return { from: new Date(first - CLOCKS_MILLIS), before: new Date(last + CLOCKS_MILLIS) };
}
