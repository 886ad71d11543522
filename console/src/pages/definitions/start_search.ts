export const DEFINITION_TABS = ["start", "graph", "source", "changes", "versions", "runs", "users"] as const;
export type DefinitionTab = (typeof DEFINITION_TABS)[number];

/** What the address of a flow or script says: the version, the tab, and the input with which its form begins. */
export interface StartSearch {
  readonly tab?: DefinitionTab;
  /** The version to show; absent for the current one. */
  readonly hash?: string;
  readonly input?: Record<string, unknown>;
}

export function parseStartSearch(search: Record<string, unknown>): StartSearch {
  const { tab, hash, input } = search;
  return {
    ...(DEFINITION_TABS.includes(tab as DefinitionTab) ? { tab: tab as DefinitionTab } : {}),
    ...(typeof hash === "string" && /^[0-9a-f]+$/.test(hash) ? { hash } : {}),
    ...(typeof input === "object" && input !== null && !Array.isArray(input)
      ? { input: input as Record<string, unknown> }
      : {}),
  };
}
