/** An entry of a list that is sorted by id, the newest first: ids of runs grow with time. */
interface Entry {
  readonly id: string;
}

/** A page of a list, and when it was asked for, in milliseconds. */
export interface LoadedPage<T> {
  readonly items: readonly T[];
  readonly askedAt: number;
}

/** An entry that has changed, and when the page learned of it. */
export interface Change<T> {
  readonly entry: T;
  readonly at: number;
}

/** Number of newer entries that a list takes up beside those of its pages. */
const NEWER_MAX = 500;

/**
 * The list as it is now: what the pages had, replaced by what changed after they were asked for, with what is new.
 *
 * @param pages the loaded pages; of an entry in several of them, the one that was asked for last counts
 * @param isComplete whether the pages reach the end of the list
 * @param fits whether the list contains an entry as it is now
 */
export function currentEntries<T extends Entry>(
  pages: readonly LoadedPage<T>[],
  changes: ReadonlyMap<string, Change<T>>,
  isComplete: boolean,
  fits: (entry: T) => boolean,
): readonly T[] {
  const known = new Map<string, Change<T>>();
  const take = (id: string, change: Change<T>) => {
    const before = known.get(id);
    if (before === undefined || before.at <= change.at) {
      known.set(id, change);
    }
  };
  for (const page of pages) {
    for (const entry of page.items) {
      take(entry.id, { entry, at: page.askedAt });
    }
  }
  const oldest = [...known.keys()].reduce((least, id) => (least === "" || id < least ? id : least), "");
  const loaded = known.size;
  for (const [id, change] of changes) {
    if (isComplete || id > oldest || known.has(id)) {
      take(id, change);
    }
  }
  return [...known.values()]
    .map((change) => change.entry)
    .filter(fits)
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, loaded + NEWER_MAX);
}

/** Adds changes to those that are known, and forgets the oldest ones beyond a number. */
export function withChanges<T extends Entry>(
  changes: ReadonlyMap<string, Change<T>>,
  entries: readonly T[],
  at: number,
  changesMax: number,
): ReadonlyMap<string, Change<T>> {
  const all = new Map(changes);
  for (const entry of entries) {
    all.delete(entry.id);
    all.set(entry.id, { entry, at });
  }
  for (const id of all.keys()) {
    if (all.size <= changesMax) {
      break;
    }
    all.delete(id);
  }
  return all;
}

/** What is shown while somebody reads: entries keep their places, and newer ones wait above. */
export interface Shown<T> {
  readonly entries: readonly T[];
  readonly newer: number;
}

/**
 * The list for somebody who reads.
 *
 * @param frozen the entries when the reader came, or undefined if nobody reads
 * @param changes what has changed, also of entries that the list does not contain any more
 */
export function shownEntries<T extends Entry>(
  current: readonly T[],
  frozen: readonly T[] | undefined,
  changes: ReadonlyMap<string, Change<T>>,
): Shown<T> {
  const top = frozen?.[0];
  const bottom = frozen?.at(-1);
  if (frozen === undefined || top === undefined || bottom === undefined) {
    return { entries: current, newer: 0 };
  }
  const latest = new Map(current.map((entry) => [entry.id, entry]));
  return {
    entries: [
      ...frozen.map((entry) => latest.get(entry.id) ?? changes.get(entry.id)?.entry ?? entry),
      ...current.filter((entry) => entry.id < bottom.id),
    ],
    newer: current.filter((entry) => entry.id > top.id).length,
  };
}
