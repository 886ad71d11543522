import type { Worker } from "#/api/types.ts";

/** How many jobs a worker has, and how many it could have. One that is drained could have no others. */
export function slotsOf(worker: Worker): { readonly used: number; readonly all: number } {
  const used = worker.leased_jobs ?? 0;
  const all = (worker.slot_groups ?? []).reduce((sum, group) => sum + (group.slots ?? 0), 0);
  return { used, all: worker.drain === undefined ? all : Math.min(used, all) };
}
