export const DEFINITION_TABS = ["start", "graph", "source", "runs"] as const;
export type DefinitionTab = (typeof DEFINITION_TABS)[number];

/** What the address of a flow or script says: the tab, and the input with which its form begins. */
export interface StartSearch {
  readonly tab?: DefinitionTab;
  readonly input?: Record<string, unknown>;
}

export function parseStartSearch(search: Record<string, unknown>): StartSearch {
  const { tab, input } = search;
  return {
    ...(DEFINITION_TABS.includes(tab as DefinitionTab) ? { tab: tab as DefinitionTab } : {}),
    ...(typeof input === "object" && input !== null && !Array.isArray(input)
      ? { input: input as Record<string, unknown> }
      : {}),
  };
}
