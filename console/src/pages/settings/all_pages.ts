import { infiniteQueryOptions } from "@tanstack/react-query";

/** A page of a list, as the API answers with it. */
interface ListPage<T> {
  readonly items?: T[];
  readonly next_page_token?: string;
}

const PAGE_SIZE = 100;

/** A list of the API that is loaded page by page. */
export function listQuery<T>(
  key: readonly string[],
  read: (query: { page_size: number; page_token?: string }) => Promise<ListPage<T>>,
) {
  return infiniteQueryOptions({
    queryKey: ["settings", ...key],
    queryFn: ({ pageParam }) =>
      read(pageParam === "" ? { page_size: PAGE_SIZE } : { page_size: PAGE_SIZE, page_token: pageParam }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
  });
}
