import type { Run, RunState, StepState } from "#/api/types.ts";
import { Icon } from "#/parts/icon.tsx";
import { words } from "#/words/words.ts";

/** What people are told about a run or step; more than the API's states. */
export type ShownState = RunState | StepState | "paused" | "waiting";

/** Classes of each state; Tailwind needs them in full. */
export const STATE_CLASSES: Record<
  ShownState,
  { readonly text: string; readonly soft: string; readonly solid: string }
> = {
  queued: { text: "text-queued", soft: "bg-queued-soft", solid: "bg-queued" },
  running: { text: "text-running", soft: "bg-running-soft", solid: "bg-running" },
  succeeded: { text: "text-succeeded", soft: "bg-succeeded-soft", solid: "bg-succeeded" },
  failed: { text: "text-failed", soft: "bg-failed-soft", solid: "bg-failed" },
  canceled: { text: "text-canceled", soft: "bg-canceled-soft", solid: "bg-canceled" },
  skipped: { text: "text-queued", soft: "bg-queued-soft", solid: "bg-queued" },
  paused: { text: "text-waiting", soft: "bg-waiting-soft", solid: "bg-waiting" },
  waiting: { text: "text-waiting", soft: "bg-waiting-soft", solid: "bg-waiting" },
};

/** The state of a run for people: a paused run that has not ended is shown as such. */
export function shownState(run: Pick<Run, "state" | "paused">): ShownState {
  return run.paused === true && !isEnded(run.state) ? "paused" : run.state;
}

export function isEnded(state: RunState | StepState): boolean {
  switch (state) {
    case "succeeded":
    case "failed":
    case "canceled":
    case "skipped":
      return true;
    case "queued":
    case "running":
      return false;
  }
}

/** A state by icon, word and color, so that no one has to tell red from green. */
export function StateBadge({ state }: { state: ShownState }) {
  const classes = STATE_CLASSES[state];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap ${classes.text} ${classes.soft}`}
    >
      <Icon name={state} className={`size-3.5 ${state === "running" ? "pulse" : ""}`} />
      {words.states[state]}
    </span>
  );
}
