export const DEFINITION_TABS = ["start", "graph", "source", "changes", "versions", "runs", "users"] as const;
export type DefinitionTab = (typeof DEFINITION_TABS)[number];

/** What the address of a flow or script says: the version, the tab, and the input with which its form begins. */
export interface StartSearch {
  readonly tab?: DefinitionTab | undefined;
  /** The version to show; absent for the current one. */
  readonly hash?: string | undefined;
  readonly input?: Record<string, unknown> | undefined;
}

/** Reads the address. What it cannot use is undefined and not absent, because the router keeps what is absent as it was given. */
export function parseStartSearch(search: Record<string, unknown>): StartSearch {
  const { tab, hash, input } = search;
  return {
    tab: DEFINITION_TABS.find((known) => known === tab),
    hash: typeof hash === "string" && /^[0-9a-f]+$/.test(hash) ? hash : undefined,
    input:
      typeof input === "object" && input !== null && !Array.isArray(input)
        ? (input as Record<string, unknown>)
        : undefined,
  };
}
