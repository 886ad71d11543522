import type { RoleBinding } from "#/api/types.ts";
import type { IconName } from "#/parts/icon.tsx";
import { words } from "#/words/words.ts";

/** A page that the navigation names, with the second key of its shortcut `g …`. */
export interface Place {
  readonly to:
    | "/"
    | "/runs"
    | "/flows"
    | "/scripts"
    | "/workers"
    | "/queues"
    | "/schedules"
    | "/triggers"
    | "/alerts"
    | "/settings"
    | "/approvals";
  readonly name: string;
  readonly icon: IconName;
  readonly key: string;
  /** The role without which the page is not named; none if everybody may see it. */
  readonly role?: RoleBinding["role"];
}

export const PLACES: readonly Place[] = [
  { to: "/", name: words.pages.home, icon: "home", key: "h" },
  { to: "/runs", name: words.pages.runs, icon: "runs", key: "r" },
  { to: "/flows", name: words.pages.flows, icon: "flows", key: "f" },
  { to: "/scripts", name: words.pages.scripts, icon: "scripts", key: "s" },
  { to: "/approvals", name: words.pages.approvals, icon: "approvals", key: "p" },
  { to: "/schedules", name: words.pages.schedules, icon: "schedules", key: "c" },
  { to: "/triggers", name: words.pages.triggers, icon: "triggers", key: "t" },
  { to: "/alerts", name: words.pages.alerts, icon: "alerts", key: "a", role: "admin" },
  { to: "/workers", name: words.pages.workers, icon: "workers", key: "w" },
  { to: "/queues", name: words.pages.queues, icon: "queues", key: "q" },
  { to: "/settings", name: words.pages.settings, icon: "settings", key: "e" },
];
