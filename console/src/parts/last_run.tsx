import type { Run } from "#/api/types.ts";
import { Icon } from "#/parts/icon.tsx";
import { STATE_CLASSES, shownState } from "#/parts/state_badge.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** How and when something ran last, in a cell of a list. */
export function LastRun({ run }: { run: Run | undefined }) {
  if (run === undefined) {
    return <span className="text-muted">–</span>;
  }
  const state = shownState(run);
  return (
    <span className="inline-flex max-w-full items-baseline gap-1.5" title={words.states[state]}>
      <Icon name={state} className={`size-3.5 self-center ${STATE_CLASSES[state].text}`} />
      <span className="sr-only">{words.states[state]}</span>
      <TimeText time={run.create_time} />
    </span>
  );
}
