import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "#/parts/button.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

/** What a query has loaded, or why it could not. Data that are there stay while the server cannot be reached. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.isPending) {
    return <Loading />;
  }
  if (query.data === undefined) {
    return <ProblemView error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {query.isError && <ProblemView error={query.error} onRetry={() => void query.refetch()} />}
      {children(query.data)}
    </>
  );
}

/** Pages of a list as the API answers with them. */
interface Pages<T> {
  readonly pages: readonly { readonly items?: readonly T[] }[];
}

interface PagesProps<T> {
  readonly query: UseInfiniteQueryResult<Pages<T>>;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** The entries of all pages that a query has loaded, with a button for the next page. */
export function LoadedPages<T>({ query, children }: PagesProps<T>) {
  return (
    <Loaded query={query as UseQueryResult<Pages<T>>}>
      {(data) => (
        <>
          {children(data.pages.flatMap((page) => page.items ?? []))}
          {query.hasNextPage && (
            <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {words.common.more}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}
