import { useMemo, useState } from "react";
import { words } from "#/words/words.ts";

/** A column of a list. */
export interface Column {
  readonly key: string;
  readonly name: string;
  /** Classes of its cells. */
  readonly className?: string;
  /** Whether a click on the name sorts the list. */
  readonly isSortable?: boolean;
}

/** By which column a list is sorted, and in which direction. */
export interface Sorting {
  readonly key: string;
  readonly isDown: boolean;
}

interface Props {
  /** The classes that lay out the rows of the list. */
  readonly layout: string;
  readonly columns: readonly Column[];
  readonly sorting?: Sorting;
  readonly onSort?: (key: string) => void;
}

/** The names of the columns above a list, on pages wide enough for columns. */
export function ListHead({ layout, columns, sorting, onSort }: Props) {
  return (
    <div className={`${layout} border-b border-line bg-raised/60 py-1.5 text-xs text-muted max-sm:hidden`}>
      {columns.map(({ key, name, className = "", isSortable = false }) => (
        <span key={key} className={`min-w-0 truncate ${className}`}>
          {isSortable && onSort !== undefined ? (
            <button
              type="button"
              onClick={() => onSort(key)}
              aria-label={words.lists.sortBy(name)}
              className="font-medium hover:text-text"
            >
              {name}
              {sorting?.key === key ? (sorting.isDown ? " ↓" : " ↑") : ""}
            </button>
          ) : (
            name
          )}
        </span>
      ))}
    </div>
  );
}

type SortValue = string | number | undefined;

/** Sorts by a value of each entry, those without one at the end; equal ones keep their order. */
export function sortedBy<T>(items: readonly T[], valueIn: (item: T) => SortValue, isDown: boolean): readonly T[] {
  const compare = (one: SortValue, other: SortValue): number => {
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined);
    }
    const order = typeof one === "string" ? one.localeCompare(String(other)) : one - Number(other);
    return isDown ? -order : order;
  };
  return [...items].sort((one, other) => compare(valueIn(one), valueIn(other)));
}

/**
 * Keeps a list sorted as a person wants it.
 *
 * @param values the values of an entry by the keys of columns
 */
export function useSorted<T>(
  items: readonly T[],
  values: Readonly<Record<string, (item: T) => SortValue>>,
  initial: Sorting,
) {
  const [sorting, setSorting] = useState(initial);
  const sorted = useMemo(
    () => sortedBy(items, values[sorting.key] ?? (() => undefined), sorting.isDown),
    [items, values, sorting],
  );
  const onSort = (key: string) => setSorting((before) => ({ key, isDown: before.key === key && !before.isDown }));
  return { sorted, sorting, onSort };
}
