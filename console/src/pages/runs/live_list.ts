/** An entry of a list that is sorted by id, the newest first: ids of runs grow with time. */
interface Entry {
  readonly id: string;
}

/**
 * The list after its newest entries were read again: they replace what was known of them. What lies among them in the
 * list, but is no longer there, does not fit the filter any more.
 */
export function mergeNewest<T extends Entry>(known: readonly T[], newest: readonly T[]): readonly T[] {
  const oldest = newest.at(-1);
  if (oldest === undefined) {
    return known;
  }
  return [...newest, ...known.filter((entry) => entry.id < oldest.id)];
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
 */
export function shownEntries<T extends Entry>(current: readonly T[], frozen: readonly T[] | undefined): Shown<T> {
  const top = frozen?.[0];
  const bottom = frozen?.at(-1);
  if (frozen === undefined || top === undefined || bottom === undefined) {
    return { entries: current, newer: 0 };
  }
  const latest = new Map(current.map((entry) => [entry.id, entry]));
  return {
    entries: [
      ...frozen.map((entry) => latest.get(entry.id) ?? entry),
      ...current.filter((entry) => entry.id < bottom.id),
    ],
    newer: current.filter((entry) => entry.id > top.id).length,
  };
}
