import type { TriggerKind } from "#/api/types.ts";

/** The kinds of triggers that the console shows, in this order. Schedules have pages of their own. */
export const KINDS: readonly TriggerKind[] = ["webhook", "event", "kafka", "postgres", "mqtt"];

/** A kind that an address names; the first one if it names none. */
export function kindOf(name: unknown): TriggerKind {
  return KINDS.find((kind) => kind === name) ?? "webhook";
}
