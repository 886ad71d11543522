import { result } from "#/api/client.ts";
import type { Run, StepState } from "#/api/types.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

/** Iterations that one call reads. */
export const PAGE_ITERATIONS = 100;
/** Iterations in one state that are listed; the picker finds others by their numbers. */
export const LISTED_MAX = 1_000;

const POLL_MILLIS = 1_000;

type Place = Pick<CurrentWorkspace, "name" | "api">;

/** What is asked again each second while the run goes on, and once more after its end. */
function freshness(run: Run) {
  return isEnded(run.state)
    ? ({ staleTime: 60_000 } as const)
    : ({ staleTime: 0, refetchInterval: POLL_MILLIS } as const);
}

interface Wanted {
  readonly states?: StepState[];
  readonly from?: number;
  readonly size: number;
}

async function iterations(place: Place, run: Run, loop: string, { states, from = 0, size }: Wanted) {
  const query = { loop, from_number: from, page_size: size, ...(states === undefined ? {} : { state: states }) };
  return await result(place.api.GET("/runs/{id}/iterations", { params: { path: { id: run.id }, query } }));
}

/** Iterations of a loop by their numbers, a page of them. */
export function pageQuery(place: Place, run: Run, loop: string, page: number) {
  return {
    queryKey: [place.name, "runs", run.id, "iterations", loop, "page", page, isEnded(run.state)],
    queryFn: () => iterations(place, run, loop, { from: page * PAGE_ITERATIONS, size: PAGE_ITERATIONS }),
    ...freshness(run),
  };
}

/** The first iterations of a loop that are in a state. */
export function stateQuery(place: Place, run: Run, loop: string, state: StepState, size = LISTED_MAX) {
  return {
    queryKey: [place.name, "runs", run.id, "iterations", loop, state, size, isEnded(run.state)],
    queryFn: () => iterations(place, run, loop, { states: [state], size }),
    ...freshness(run),
  };
}

/** The number of iterations that a loop will have, or null if nobody knows; it never changes. */
export function totalQuery(place: Place, run: Run, loop: string) {
  return {
    queryKey: [place.name, "runs", run.id, "iterations", loop, "total"],
    queryFn: async () => (await iterations(place, run, loop, { size: 1 })).counts?.total ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** The number of the next iteration that has failed, from a number on, or undefined if there is none. */
export async function nextFailed(place: Place, run: Run, loop: string, from: number): Promise<number | undefined> {
  const found = await iterations(place, run, loop, { states: ["failed"], from, size: 1 });
  return found.items[0]?.number;
}

/** The steps inside an iteration. */
export function insideQuery(place: Place, run: Run, iteration: string) {
  return {
    queryKey: [place.name, "runs", run.id, "iteration", iteration, isEnded(run.state)],
    queryFn: async () => {
      const query = { iteration, page_size: LISTED_MAX };
      const found = await result(place.api.GET("/runs/{id}/steps", { params: { path: { id: run.id }, query } }));
      return found.items;
    },
    ...freshness(run),
  };
}
