import type { TriggerKind } from "#/api/types.ts";

/** The kinds of triggers that the console shows, in this order. Schedules have pages of their own. */
export const KINDS: readonly TriggerKind[] = ["webhook", "event", "kafka", "postgres", "mqtt"];

/** Whether an address names a kind. */
export function isKind(name: unknown): name is TriggerKind {
  return KINDS.some((kind) => kind === name);
}
