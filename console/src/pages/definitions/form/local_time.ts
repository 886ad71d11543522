/** Whether a field for a local time can show a value: none, or a text that is a time with a zone. */
export function isLocalTime(value: unknown): boolean {
  return value === undefined || value === null || value === "" || localTime(value) !== "";
}

/** A time such as `2026-01-31T08:00:00Z` in the zone of the person, as the field of a browser takes it; empty if it is none. */
export function localTime(value: unknown): string {
  const millis = typeof value === "string" && /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(millis)) {
    return "";
  }
  const time = new Date(millis);
  const two = (number: number) => String(number).padStart(2, "0");
  const date = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** The time in UTC that a field of a browser names in the zone of the person; undefined for none. */
export function utcTime(local: string): string | undefined {
  const millis = Date.parse(local);
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString().replace(".000Z", "Z");
}
