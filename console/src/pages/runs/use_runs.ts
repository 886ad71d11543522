import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { result } from "#/api/client.ts";
import type { Run } from "#/api/types.ts";
import type { Connection } from "#/live/event_stream.ts";
import { onceAFrame } from "#/live/frames.ts";
import { useRunFeed } from "#/live/run_feed.ts";
import { apiQuery, feedQuery, fitsFilters, looksIntoRuns, type RunFilters } from "#/pages/runs/filters.ts";
import { type Change, currentEntries, withChanges } from "#/pages/runs/live_list.ts";
import { useWorkspace } from "#/shell/workspace.ts";

const PAGE_SIZE = 100;
/** Number of runs whose changes are remembered. */
const CHANGES_MAX = 2_000;
/** Least time between two readings of the newest runs after gaps. */
const GAP_MILLIS = 1_500;
/** Time between two looks at the newest runs while no stream is open. */
const LOST_MILLIS = 5_000;

const NO_CHANGES: ReadonlyMap<string, Change<Run>> = new Map();

/**
 * The runs that fit the filters, as far as they have been loaded, kept current by a stream.
 *
 * @param feed path of the stream in the workspace; lists of a page with the same one share it
 */
export function useRuns(filters: RunFilters, feed = `/runs/events${feedQuery(filters)}`) {
  const workspace = useWorkspace();
  const name = JSON.stringify([workspace.name, filters]);
  const key = [workspace.name, "runs", filters];
  const [live, setLive] = useState({ name, changes: NO_CHANGES });
  const changes = live.name === name ? live.changes : NO_CHANGES;
  const [connection, setConnection] = useState<Connection>("connecting");
  const isLive = !looksIntoRuns(filters);

  const read = async (pageToken: string) => {
    const askedAt = performance.now();
    const query = { ...apiQuery(filters, Date.now()), page_size: PAGE_SIZE };
    const page = pageToken === "" ? query : { ...query, page_token: pageToken };
    return { ...(await result(workspace.api.GET("/runs", { params: { query: page } }))), askedAt };
  };
  const pages = useInfiniteQuery({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
    refetchOnWindowFocus: false,
  });
  const newest = useQuery({
    queryKey: [...key, "newest"],
    queryFn: () => read(""),
    enabled: false,
    refetchOnWindowFocus: false,
  });
  useQuery({
    queryKey: [...key, "lost"],
    queryFn: () => newest.refetch().then(() => Date.now()),
    enabled: isLive && pages.isSuccess && connection === "lost",
    refetchInterval: LOST_MILLIS,
  });

  const readAgain = usePacedRefresh(() => void newest.refetch(), GAP_MILLIS);
  const arrived = useRef<Run[]>([]);
  const show = useMemo(
    () =>
      onceAFrame(() => {
        const runs = arrived.current;
        arrived.current = [];
        setLive((before) => ({
          name,
          changes: withChanges(
            before.name === name ? before.changes : NO_CHANGES,
            runs,
            performance.now(),
            CHANGES_MAX,
          ),
        }));
      }),
    [name],
  );
  useRunFeed(isLive ? workspace.url + feed : undefined, {
    runs: (runs) => {
      arrived.current.push(...runs);
      show();
    },
    gap: readAgain,
    connection: setConnection,
  });

  const runs = useMemo(
    () =>
      currentEntries(
        [...(pages.data?.pages ?? []), ...(newest.data === undefined ? [] : [newest.data])],
        changes,
        !pages.hasNextPage,
        (run) => fitsFilters(filters, run, Date.now()),
      ),
    [pages.data, pages.hasNextPage, newest.data, changes, filters],
  );
  return { runs, changes, pages, connection, searchedBackTo: pages.data?.pages.at(-1)?.searched_back_to };
}

/** Calls a function at once, and then at most once in some time, however often that is asked for. */
function usePacedRefresh(refresh: () => void, millis: number): () => void {
  const latest = useRef(refresh);
  latest.current = refresh;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const last = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(() => {
    if (timer.current === undefined) {
      const wait = Math.max(0, last.current + millis - performance.now());
      timer.current = setTimeout(() => {
        timer.current = undefined;
        last.current = performance.now();
        latest.current();
      }, wait);
    }
  }, [millis]);
}
