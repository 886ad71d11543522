import type { IterationCounts, Step } from "#/api/types.ts";

/** A step in two runs; absent where a run has no such step. */
export interface Pair {
  readonly key: string;
  readonly left: Step | undefined;
  readonly right: Step | undefined;
  /** Whether the state, how iterations ended, or whether there is such a step, differs. */
  readonly differs: boolean;
}

/** The steps of two runs side by side, in the order in which they began, those that differ first. */
export function pairSteps(left: readonly Step[], right: readonly Step[]): readonly Pair[] {
  const rights = new Map(right.map((step) => [step.key, step]));
  const lefts = new Map(left.map((step) => [step.key, step]));
  const keys = [...new Set([...lefts.keys(), ...rights.keys()])];
  const pairs = keys.map((key) => {
    const [one, other] = [lefts.get(key), rights.get(key)];
    return { key, left: one, right: other, differs: one?.state !== other?.state || !sameEnds(one, other) };
  });
  const begun = (pair: Pair) => pair.right?.start_time ?? pair.left?.start_time ?? pair.left?.create_time ?? "";
  return pairs.sort((one, other) =>
    one.differs === other.differs ? begun(one).localeCompare(begun(other)) : one.differs ? -1 : 1,
  );
}

/** Whether as many iterations of a large loop ended in each way. */
function sameEnds(one: Step | undefined, other: Step | undefined): boolean {
  const ends = (counts: IterationCounts | undefined) =>
    counts === undefined ? "" : [counts.succeeded, counts.failed, counts.canceled, counts.skipped].join(" ");
  return ends(one?.iterations) === ends(other?.iterations);
}

/** Whether the later run took the result over: its step then has the times of the earlier one. */
export function isReused({ left, right }: Pair): boolean {
  return (
    right?.end_time !== undefined &&
    right.end_time === left?.end_time &&
    right.start_time === left.start_time &&
    right.state === left.state
  );
}
