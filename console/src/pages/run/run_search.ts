export const TABS = ["timeline", "graph", "logs", "data", "history", "trace"] as const;
export type RunTab = (typeof TABS)[number];

/** What the address of a run's page says: the tab, and the step that is selected in all of them. */
export interface RunSearch {
  readonly tab?: RunTab;
  readonly step?: string;
}

export function parseRunSearch(search: Record<string, unknown>): RunSearch {
  const { tab, step } = search;
  return {
    ...(TABS.includes(tab as RunTab) ? { tab: tab as RunTab } : {}),
    ...(typeof step === "string" && step !== "" ? { step } : {}),
  };
}
