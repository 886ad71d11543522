import type { TriggerKind } from "#/api/types.ts";

/** What starts or runs a flow or script. */
export interface User {
  readonly kind: "flow" | "schedule" | TriggerKind;
  readonly path: string;
}

interface Found {
  /** Paths of flows that name it. */
  readonly flows: readonly string[];
  readonly schedules: readonly { readonly path: string; readonly run: unknown }[];
  readonly triggers: readonly { readonly path: string; readonly kind: TriggerKind; readonly run: unknown }[];
}

/** All that uses a flow or script: flows first, then schedules, then triggers. */
export function usersOf(kind: "flow" | "script", path: string, { flows, schedules, triggers }: Found): User[] {
  const isStarted = ({ run }: { readonly run: unknown }) =>
    (run as { target?: Record<string, unknown> } | undefined)?.target?.[kind] === path;
  return [
    ...flows.map((user) => ({ kind: "flow" as const, path: user })),
    ...schedules.filter(isStarted).map((user) => ({ kind: "schedule" as const, path: user.path })),
    ...triggers.filter(isStarted).map((user) => ({ kind: user.kind, path: user.path })),
  ];
}
