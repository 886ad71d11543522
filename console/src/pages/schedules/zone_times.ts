/** A time of a schedule as its zone writes it. */
export interface ZoneTime {
  readonly at: string;
  readonly text: string;
  /** Minutes that the clocks of the zone go forward (or back, if negative) between the time before and this one. */
  readonly shiftMinutes: number;
}

/** The times in a zone, each with what the clocks do before it. Times must be in order. */
export function zoneTimes(times: readonly string[], zone: string, language?: string): readonly ZoneTime[] {
  const format = formatOf(zone, language);
  let before: number | undefined;
  return times.map((at) => {
    const offset = offsetMinutes(Date.parse(at), zone);
    const shiftMinutes = before === undefined ? 0 : offset - before;
    before = offset;
    return { at, text: format.format(Date.parse(at)), shiftMinutes };
  });
}

function formatOf(zone: string, language: string | undefined): Intl.DateTimeFormat {
  const options = { dateStyle: "full", timeStyle: "long" } as const;
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  } catch {
    // The browser may know fewer zones than the server.
    return new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
  }
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetMinutes(millis: number, zone: string): number {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const name = format.formatToParts(millis).find((part) => part.type === "timeZoneName")?.value ?? "";
    const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
    return match === null ? 0 : (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
  } catch {
    return 0;
  }
}
