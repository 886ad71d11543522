import { queryOptions } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";

const PAGE_SIZE = 50;

/** The first fifty workers, with their processes if so asked. */
export function workersQuery(processes: boolean) {
  return queryOptions({
    queryKey: ["workers", processes],
    queryFn: () => result(shared.GET("/api/v1/workers", { params: { query: { processes, page_size: PAGE_SIZE } } })),
  });
}
