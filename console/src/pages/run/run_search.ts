export const TABS = ["timeline", "graph", "logs", "data", "history", "trace"] as const;
export type RunTab = (typeof TABS)[number];

/** What the address of a run's page says: the tab, and the step that is selected in all of them. */
export interface RunSearch {
  readonly tab?: RunTab;
  readonly step?: string;
  /** A line of the log, by the position of its chunk and its number there: `42-3`. */
  readonly line?: string;
}

export function parseRunSearch(search: Record<string, unknown>): RunSearch {
  const { tab, step, line } = search;
  return {
    ...(TABS.includes(tab as RunTab) ? { tab: tab as RunTab } : {}),
    ...(typeof step === "string" && step !== "" ? { step } : {}),
    ...(typeof line === "string" && /^\d+-\d+(\+\d+)?$/.test(line) ? { line } : {}),
  };
}
