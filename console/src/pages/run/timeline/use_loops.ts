import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Iteration, Run, Step } from "#/api/types.ts";
import { insideQuery, PAGE_ITERATIONS, pageQuery, stateQuery } from "#/pages/run/loops/loop_queries.ts";
import { insideOf } from "#/pages/run/timeline/step_tree.ts";
import type { Folds, IterationRow, Loops } from "#/pages/run/timeline/timeline_rows.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/** Which iterations of a loop a person wants to see; at first the failed ones, if there are any. */
export type Filters = ReadonlyMap<string, "all" | "failed">;

export function isFailedOnly(loop: Step, filters: Filters): boolean {
  return (filters.get(loop.key) ?? "failed") === "failed" && (loop.iterations?.failed ?? 0) > 0;
}

/** Reads what the timeline shows of large loops that are open. */
export function useLoops(run: Run, loops: readonly Step[], folds: Folds, filters: Filters): Loops {
  const workspace = useWorkspace();
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
    return { listed: ({ key }) => failed.get(key), inside: (key) => trees.get(key) };
  }, [listed, inside, listedKeys, openedKeys]);
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
