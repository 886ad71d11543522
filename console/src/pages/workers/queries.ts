import { queryOptions } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";

const PAGE_SIZE = 50;
/** All tabs of a person share the answers of the gateway, which are at most a second old. */
const REFRESH_MILLIS = 1_000;

/** The first fifty workers, with their processes if so asked. */
export function workersQuery(processes: boolean) {
  return queryOptions({
    queryKey: ["workers", processes],
    queryFn: () => result(shared.GET("/api/v1/workers", { params: { query: { processes, page_size: PAGE_SIZE } } })),
    refetchInterval: REFRESH_MILLIS,
  });
}
