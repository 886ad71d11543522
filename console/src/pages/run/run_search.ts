export const TABS = ["timeline", "graph", "logs", "data", "history", "trace"] as const;
export type RunTab = (typeof TABS)[number];

/** What the address of a run's page says: the tab, and the step that is selected in all of them. */
export interface RunSearch {
  readonly tab?: RunTab | undefined;
  readonly step?: string | undefined;
  /** A line of the log, by the position of its chunk and its number there: `42-3`. */
  readonly line?: string | undefined;
}

/** Reads the address. What it cannot use is undefined and not absent, because the router keeps what is absent as it was given. */
export function parseRunSearch(search: Record<string, unknown>): RunSearch {
  const { tab, step, line } = search;
  return {
    tab: TABS.find((known) => known === tab),
    step: typeof step === "string" && step !== "" ? step : undefined,
    line: typeof line === "string" && /^\d+-\d+(\+\d+)?$/.test(line) ? line : undefined,
  };
}
