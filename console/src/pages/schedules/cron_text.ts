import { words } from "#/words/words.ts";

/**
 * A cron expression in words, for the usual forms: hourly, daily, on some weekdays, on a day of each month, and every few
 * minutes. Undefined for all others, which are shown as they are.
 */
export function cronText(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5 || month !== "*") {
    return undefined;
  }
  const everyDay = day === "*" && weekday === "*";
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (step !== undefined) {
    return hour === "*" && everyDay ? words.schedules.cronWords.minutes(Number(step)) : undefined;
  }
  if (!isNumber(minute)) {
    return undefined;
  }
  if (hour === "*") {
    return everyDay ? words.schedules.cronWords.hourly(Number(minute)) : undefined;
  }
  if (!isNumber(hour)) {
    return undefined;
  }
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (everyDay) {
    return words.schedules.cronWords.daily(time);
  }
  const days = day === "*" ? weekdaysText(weekday) : undefined;
  if (days !== undefined) {
    return words.schedules.cronWords.weekly(days, time);
  }
  return isNumber(day) && weekday === "*" ? words.schedules.cronWords.monthly(Number(day), time) : undefined;
}

function isNumber(field: string): boolean {
  return /^\d+$/.test(field);
}

const NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Weekdays such as `1-5` or `mon,thu` in words; undefined if a part is neither. */
function weekdaysText(field: string): string | undefined {
  const parts = field.split(",").map((part) => {
    const days = part.split("-").map(weekdayOf);
    const isRange = days.length <= 2 && days.every((day) => day !== undefined);
    return isRange ? days.join("–") : undefined;
  });
  return parts.every((part) => part !== undefined) ? parts.join(", ") : undefined;
}

function weekdayOf(name: string): string | undefined {
  const number = isNumber(name) ? Number(name) % 7 : NAMES.indexOf(name.toLowerCase());
  return /^[0-7]$/.test(name) || number >= 0 ? words.schedules.cronWords.weekdays[number] : undefined;
}
