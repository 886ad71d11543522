import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Iteration, Run, Step } from "#/api/types.ts";
import { insideQuery, PAGE_ITERATIONS, pageQuery, stateQuery, totalQuery } from "#/pages/run/loops/loop_queries.ts";
import { insideOf } from "#/pages/run/timeline/step_tree.ts";
import type { Folds, IterationRow, Loops } from "#/pages/run/timeline/timeline_rows.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/** Which iterations of a loop a person wants to see; at first the failed ones, if there are any. */
export type Filters = ReadonlyMap<string, "all" | "failed">;

export function isFailedOnly(loop: Step, filters: Filters): boolean {
  return (filters.get(loop.key) ?? "failed") === "failed" && (loop.iterations?.failed ?? 0) > 0;
}

/** Small loops of which the number of items is asked, once for each. */
const TOTALS_MAX = 20;

/** The number of items of small loops that have not done all of them; of a loop that has, its iterations tell. */
function useTotals(run: Run, steps: ReadonlyMap<string, Step>): ReadonlyMap<string, number> {
  const workspace = useWorkspace();
  const wanted = [...steps.values()]
    .filter((step) => step.kind === "for_each" && step.iterations === undefined && step.state !== "succeeded")
    .slice(0, TOTALS_MAX)
    .map(({ key }) => key);
  const totals = useQueries({
    queries: wanted.map((key) => totalQuery(workspace, run, key)),
    combine: (answers) => answers.map(({ data }) => data ?? undefined),
  });
  const keys = wanted.join("\n");
  return useMemo(
    () => new Map(keys.split("\n").flatMap((key, at) => (totals[at] == null ? [] : [[key, totals[at]] as const]))),
    [keys, totals],
  );
}

/** Reads what the timeline shows of loops: the number of items of small ones, and what is inside large ones that are open. */
export function useLoops(
  run: Run,
  steps: ReadonlyMap<string, Step>,
  loops: readonly Step[],
  folds: Folds,
  filters: Filters,
): Loops {
  const workspace = useWorkspace();
  const totals = useTotals(run, steps);
  const listing = loops.filter((loop) => folds.get(loop.key) === true && isFailedOnly(loop, filters));
  const opened = [...folds].filter(([key, isOpen]) => isOpen && key.endsWith("]")).map(([key]) => key);
  const listed = useQueries({
    queries: listing.map((loop) => stateQuery(workspace, run, loop.key, "failed")),
    combine: (answers) => answers.map(({ data }) => data?.items),
  });
  const inside = useQueries({
    queries: opened.map((key) => insideQuery(workspace, run, key)),
    combine: (answers) => answers.map(({ data }) => data),
  });
  const listedKeys = listing.map(({ key }) => key).join("\n");
  const openedKeys = opened.join("\n");
  return useMemo(() => {
    const failed = new Map(listedKeys.split("\n").map((key, at) => [key, listed[at] ?? []]));
    const trees = new Map(openedKeys.split("\n").map((key, at) => [key, insideOf(key, inside[at])]));
    return { listed: ({ key }) => failed.get(key), inside: (key) => trees.get(key), total: (key) => totals.get(key) };
  }, [listed, inside, listedKeys, openedKeys, totals]);
}

/** Reads the iterations of the lines that are on the screen, by their keys. */
export function useIterations(run: Run, rows: readonly IterationRow[]): ReadonlyMap<string, Iteration> {
  const workspace = useWorkspace();
  const pages = new Map(
    rows.map(({ loop, number }) => {
      const page = Math.floor(number / PAGE_ITERATIONS);
      return [`${loop} ${page}`, { loop, page }];
    }),
  );
  const answers = useQueries({
    queries: [...pages.values()].map(({ loop, page }) => pageQuery(workspace, run, loop, page)),
    combine: (found) => found.map(({ data }) => data),
  });
  return useMemo(
    () => new Map(answers.flatMap((answer) => (answer?.items ?? []).map((item) => [item.key, item] as const))),
    [answers],
  );
}
