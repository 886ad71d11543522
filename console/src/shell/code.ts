import { UnreachableError } from "#/api/problem.ts";
import { root } from "#/root.ts";
import { words } from "#/words/words.ts";

/** Time within which a page loads itself anew only once, lest it do nothing else. */
const RELOAD_MILLIS = 60_000;
const RELOADED = "millrace-reloaded";

/** The world of a page, so that tests need no browser. */
export interface CodeWorld {
  /** Whether the server serves the console. */
  readonly isServed: () => Promise<boolean>;
  /** Loads the page anew, unless that has happened lately; returns whether it does. */
  readonly reload: () => boolean;
}

const browser: CodeWorld = {
  isServed: () =>
    fetch(root, { cache: "no-store", credentials: "same-origin" }).then(
      ({ ok }) => ok,
      () => false,
    ),
  reload: () => {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < RELOAD_MILLIS) {
      return false;
    }
    sessionStorage.setItem(RELOADED, String(Date.now()));
    document.location.reload();
    return true;
  },
};

/**
 * Loads code of the console. While the server is down, a page loaded anew would leave the console for an error page of the
 * browser. After an upgrade of the server, files of the old version are gone, and only a fresh page knows the new ones.
 *
 * @throws UnreachableError if the server cannot be reached
 */
export async function loadCode<T>(load: () => Promise<T>, world: CodeWorld = browser): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(await world.isServed())) {
      throw new UnreachableError(error);
    }
    // The server may have come back between the two.
    return await load().catch((again: unknown) => {
      if (world.reload()) {
        return new Promise<T>(() => undefined);
      }
      throw new Error(words.shell.noCode, { cause: again });
    });
  }
}
