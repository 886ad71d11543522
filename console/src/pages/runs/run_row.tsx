import { Link } from "@tanstack/react-router";
import type { Run } from "#/api/types.ts";
import { runStart } from "#/parts/own_times.ts";
import { isEnded, StateBadge, shownState } from "#/parts/state_badge.tsx";
import { DurationText, TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

const COLUMNS =
  "grid grid-cols-[6.8rem_1fr_auto] items-center gap-x-3 px-3 sm:grid-cols-[7.5rem_1fr_7rem_6.5rem] md:px-4";
const STARTER_COLUMNS = "lg:grid-cols-[7.5rem_1fr_13rem_7rem_6.5rem]";

/** The columns of a list of runs, with one for who started them if that is known. A narrow page has state, name and time. */
export function runLayout(hasStarter: boolean): string {
  return hasStarter ? `${COLUMNS} ${STARTER_COLUMNS}` : COLUMNS;
}

/** One run of a list, as a link to its page. */
export function RunRow({ run, hasStarter = false }: { run: Run; hasStarter?: boolean }) {
  return (
    <li className="border-b border-line [contain-intrinsic-size:auto_46px] [content-visibility:auto] last:border-b-0">
      <Link
        to="/runs/$id"
        params={{ id: run.id }}
        data-entry
        className={`${runLayout(hasStarter)} gap-y-0.5 py-2.5 text-sm -outline-offset-2 hover:bg-raised`}
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
        {hasStarter && (
          <span className="truncate text-muted max-lg:hidden" title={starterText(run)}>
            {starterText(run)}
          </span>
        )}
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

/** Who or what started a run, as the filter of the list takes it: its trigger, else a person or program; empty if nobody is known. */
export function starterText({ trigger, started_by: starter }: Run): string {
  return trigger === undefined ? (starter ?? "") : `${trigger.kind} ${trigger.path}`;
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
