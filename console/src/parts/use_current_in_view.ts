import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps the current entry of a row of links in view: on a narrow page, it may lie beyond the edge.
 *
 * @param changed anything that changes with the entries, or with the current one
 */
export function useCurrentInView(changed: unknown): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entries are looked at once they are rendered
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [changed]);
  return row;
}
