import { useNow } from "#/parts/clock.ts";
import { durationText, exactText, millisOf, relativeText } from "#/parts/time.ts";

/** How long ago a time was; the exact time shows when the pointer rests on it. */
export function TimeText({ time }: { time: string | undefined }) {
  const now = useNow();
  const millis = millisOf(time);
  if (millis === undefined) {
    return <span className="text-muted">–</span>;
  }
  return (
    <time dateTime={time} title={exactText(millis)} className="whitespace-nowrap">
      {relativeText(millis, now)}
    </time>
  );
}

/** How long something took, or has taken until now. */
export function DurationText({ from, to }: { from: string | undefined; to: string | undefined }) {
  const start = millisOf(from);
  if (start === undefined) {
    return <span className="text-muted">–</span>;
  }
  const end = millisOf(to);
  return (
    <span className="whitespace-nowrap tabular-nums">
      {end === undefined ? <Growing from={start} /> : durationText(end - start)}
    </span>
  );
}

function Growing({ from }: { from: number }) {
  const now = useNow();
  // Whole seconds: tenths would jump by the second.
  const millis = now - from;
  return <>{durationText(millis < 10_000 ? Math.floor(Math.max(0, millis) / 1_000) * 1_000 : millis)}</>;
}
