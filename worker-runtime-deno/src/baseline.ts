/** Restores what ordinary code changes in its process, so that each job begins as the first one did. */

import { host } from "./host.ts";

/**
 * What a process is like once its script has loaded. What the script changes while it is loaded is its own, and holds
 * for all of its jobs. Listeners, timers and programs of a job end with it; see `JobScope`.
 */
export class Baseline {
  readonly #folder = host().cwd();
  readonly #restorers = host().keepState();

  /** Takes back what earlier jobs, or code that they left behind, have changed. */
  restore(): void {
    this.#returnHome();
    for (const restore of this.#restorers) {
      try {
        restore();
      } catch { /* What the script may not change needs no restoring. */ }
    }
  }

  /** Makes the folder again if a job has removed it. */
  #returnHome(): void {
    if (currentFolder() === this.#folder) return;
    try {
      host().chdir(this.#folder);
    } catch {
      try {
        host().makeFolder(this.#folder);
        host().chdir(this.#folder);
      } catch { /* A job that needs the folder will report that. */ }
    }
  }
}

/** The working folder; undefined if it has been removed. */
function currentFolder(): string | undefined {
  try {
    return host().cwd();
  } catch {
    return undefined;
  }
}
