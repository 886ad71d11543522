import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { Delivery } from "#/api/types.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const REFRESH_MILLIS = 5_000;
const LIST_SIZE = 1_000;
const PAGE_SIZE = 50;

/** The first thousand alerts of a workspace by name. */
export function alertsQuery({ name, api }: CurrentWorkspace) {
  return queryOptions({
    queryKey: [name, "alerts"],
    queryFn: () => result(api.GET("/alerts", { params: { query: { page_size: LIST_SIZE } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

export function alertQuery({ name: workspace, api }: CurrentWorkspace, name: string) {
  return queryOptions({
    queryKey: [workspace, "alerts", name],
    queryFn: () => result(api.GET("/alerts/{name}", { params: { path: { name } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}

/** The messages of an alert, the newest first; those in one state if it is given. */
export function deliveriesQuery(
  { name: workspace, api }: CurrentWorkspace,
  name: string,
  state: Delivery["state"] | undefined,
) {
  return infiniteQueryOptions({
    queryKey: [workspace, "alerts", name, "deliveries", state ?? ""],
    queryFn: ({ pageParam }) => {
      const query = {
        page_size: PAGE_SIZE,
        ...(state === undefined ? {} : { state }),
        ...(pageParam === "" ? {} : { page_token: pageParam }),
      };
      return result(api.GET("/alerts/{name}/deliveries", { params: { path: { name }, query } }));
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next_page_token || undefined,
    refetchInterval: REFRESH_MILLIS,
  });
}
