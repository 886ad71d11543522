import type { StepState } from "#/api/types.ts";
import type { Attempt } from "#/pages/run/timeline/attempts.ts";
import { Icon } from "#/parts/icon.tsx";
import { STATE_CLASSES } from "#/parts/state_badge.tsx";
import { durationText } from "#/parts/time.ts";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** When each attempt at a job ran, and why it failed; nothing if there are none. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) {
    return null;
  }
  return (
    <ol aria-label={words.timeline.attempts} className="space-y-1 text-sm">
      {attempts.map((attempt) => (
        <li key={attempt.number} className="flex flex-wrap items-center gap-x-3">
          <span className="inline-flex items-center gap-1.5">
            <Icon name={endOf(attempt)} className={`size-3.5 ${STATE_CLASSES[endOf(attempt)].text}`} />
            <span className="sr-only">{words.states[endOf(attempt)]}</span>
            {words.timeline.attempt(attempt.number)}
          </span>
          <TimeText time={new Date(attempt.begin).toISOString()} />
          {attempt.end !== undefined && (
            <span className="text-muted tabular-nums">{durationText(attempt.end - attempt.begin)}</span>
          )}
          {attempt.worker !== "" && <span className="text-muted">{words.timeline.worker(attempt.worker)}</span>}
          {attempt.message !== "" && (
            <span className="min-w-0 font-mono text-xs break-words whitespace-pre-wrap">{attempt.message}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

function endOf({ hasFailed, end }: Attempt): StepState {
  return hasFailed ? "failed" : end === undefined ? "running" : "succeeded";
}
