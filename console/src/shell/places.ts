import type { IconName } from "#/parts/icon.tsx";
import { words } from "#/words/words.ts";

/** A page that the navigation names, with the second key of its shortcut `g …`. */
export interface Place {
  readonly to: "/" | "/runs" | "/flows" | "/scripts" | "/workers" | "/schedules";
  readonly name: string;
  readonly icon: IconName;
  readonly key: string;
}

export const PLACES: readonly Place[] = [
  { to: "/", name: words.pages.home, icon: "home", key: "h" },
  { to: "/runs", name: words.pages.runs, icon: "runs", key: "r" },
  { to: "/flows", name: words.pages.flows, icon: "flows", key: "f" },
  { to: "/scripts", name: words.pages.scripts, icon: "scripts", key: "s" },
  { to: "/schedules", name: words.pages.schedules, icon: "schedules", key: "c" },
  { to: "/workers", name: words.pages.workers, icon: "workers", key: "w" },
];
