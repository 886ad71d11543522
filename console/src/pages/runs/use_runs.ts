import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { result } from "#/api/client.ts";
import { apiQuery, type RunFilters } from "#/pages/runs/filters.ts";
import { mergeNewest } from "#/pages/runs/live_list.ts";
import { useWorkspace } from "#/shell/workspace.ts";

const PAGE_SIZE = 100;
/** Time between two looks at the newest runs, while the page is visible. */
const REFRESH_MILLIS = 1_500;

/** The runs that fit the filters, as far as they have been loaded; the newest of them are kept current. */
export function useRuns(filters: RunFilters) {
  const workspace = useWorkspace();
  const key = [workspace.name, "runs", filters];
  const read = (pageToken: string, size: number) => {
    const query = { ...apiQuery(filters, Date.now()), page_size: size };
    const page = pageToken === "" ? query : { ...query, page_token: pageToken };
    return result(workspace.api.GET("/runs", { params: { query: page } }));
  };
  const pages = useInfiniteQuery({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam }) => read(pageParam, PAGE_SIZE),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
    refetchOnWindowFocus: false,
  });
  const newest = useQuery({
    queryKey: [...key, "newest"],
    queryFn: () => read("", PAGE_SIZE),
    enabled: pages.isSuccess && (filters.input ?? filters.output) === undefined,
    refetchInterval: REFRESH_MILLIS,
  });
  const runs = useMemo(
    () =>
      mergeNewest(
        (pages.data?.pages ?? []).flatMap((page) => page.items),
        newest.data?.items ?? [],
      ),
    [pages.data, newest.data],
  );
  return { runs, pages, searchedBackTo: pages.data?.pages.at(-1)?.searched_back_to };
}
