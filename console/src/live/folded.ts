import type { IterationCounts, Step } from "#/api/types.ts";

/** Iterations that have begun. */
export function begun(counts: IterationCounts): number {
  return ended(counts) + counts.queued + counts.running;
}

export function ended(counts: IterationCounts): number {
  return counts.succeeded + counts.failed + counts.canceled + counts.skipped;
}

/** The keys of the loops around a key, from the outside in: `a` and `a[1].b` of `a[1].b[2].c`. */
export function loopsAround(key: string): readonly string[] {
  return [...key.matchAll(/\[/g)].map((bracket) => key.slice(0, bracket.index));
}

/** The keys of the iterations around a key, from the outside in: `a[1]` and `a[1].b[2]` of `a[1].b[2].c`. */
export function iterationsAround(key: string): readonly string[] {
  return [...key.matchAll(/\]/g)].map((bracket) => key.slice(0, bracket.index + 1));
}

/** Whether a step is inside a loop of which only the numbers of its iterations are known. */
export function isInsideFolded(key: string, steps: ReadonlyMap<string, Step>): boolean {
  return loopsAround(key).some((loop) => steps.get(loop)?.iterations !== undefined);
}

/** The loops whose steps are left out. */
export function foldedLoops(steps: ReadonlyMap<string, Step>): readonly Step[] {
  return [...steps.values()].filter((step) => step.iterations !== undefined);
}

/** The number of the iteration of a loop that a key is in. */
export function numberIn(key: string | undefined, loop: string): number | undefined {
  return key?.startsWith(`${loop}[`) ? Number.parseInt(key.slice(loop.length + 1), 10) : undefined;
}
