import type { Run, RunHistoryEntry, RunState } from "#/api/types.ts";

/** Something that happened to a run: an entry of its history, or its end, which is the last one if the run was retried. */
export type Happening = RunHistoryEntry | { readonly kind: "end"; readonly time: string; readonly state: RunState };

/** What happened to a run after its begin, in order. A rerun may follow its end. */
export function happenings(
  { state, end_time: end }: Pick<Run, "state" | "end_time">,
  entries: readonly RunHistoryEntry[],
): readonly Happening[] {
  if (end === undefined) {
    return entries;
  }
  const after = entries.findIndex(({ time }) => Date.parse(time) > Date.parse(end));
  const at = after < 0 ? entries.length : after;
  return [...entries.slice(0, at), { kind: "end", time: end, state }, ...entries.slice(at)];
}

/** Whether an entry is about a step: what somebody did to it, its answers and its attempts. */
export function isAbout({ step, details }: RunHistoryEntry, wanted: string | undefined): boolean {
  return wanted !== undefined && (step === wanted || (details as { step?: unknown } | undefined)?.step === wanted);
}
