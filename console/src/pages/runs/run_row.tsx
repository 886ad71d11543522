import { Link } from "@tanstack/react-router";
import type { Run } from "#/api/types.ts";
import { runStart } from "#/parts/own_times.ts";
import { isEnded, StateBadge, shownState } from "#/parts/state_badge.tsx";
import { DurationText, TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** One run of a list, as a link to its page. */
export function RunRow({ run }: { run: Run }) {
  return (
    <li className="border-b border-line [contain-intrinsic-size:auto_46px] [content-visibility:auto] last:border-b-0">
      <Link
        to="/runs/$id"
        params={{ id: run.id }}
        data-entry
        className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-0.5 px-3 py-2.5 text-sm -outline-offset-2 hover:bg-raised sm:grid-cols-[7.5rem_1fr_auto_6rem] md:px-4"
      >
        <span>
          <StateBadge state={shownState(run)} />
        </span>
        <span className="min-w-0">
          <span className="block truncate font-medium" title={run.name}>
            {run.name}
          </span>
          <span className="block truncate font-mono text-xs text-muted">{run.id}</span>
          {run.error?.message ? (
            <span className="block truncate text-xs text-failed" title={run.error.message}>
              {run.error.message}
            </span>
          ) : null}
        </span>
        <span className="text-right text-muted">
          <TimeText time={run.create_time} />
        </span>
        <span className="text-right text-muted max-sm:hidden" title={durationTitle(run)}>
          <DurationText from={runStart(run)} to={run.end_time} />
        </span>
      </Link>
    </li>
  );
}

/** What the duration of a run means, or why there is none. */
export function durationTitle(run: Run): string {
  if (runStart(run) !== undefined) {
    return words.run.duration;
  }
  if (isEnded(run.state)) {
    return words.runs.neverStarted;
  }
  return run.state === "queued" ? words.runs.notStarted(run.wait_reason) : words.runs.startUnknown;
}
