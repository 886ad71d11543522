import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import { flowFiles } from "#/pages/editor/flow_files.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

const PAGE_SIZE = 50;

type Kind = "flow" | "script";

/** The versions to which a path has led, newest first. */
export function versionsQuery({ name, api }: CurrentWorkspace, kind: Kind, path: string) {
  return infiniteQueryOptions({
    queryKey: [name, kind, path, "versions"],
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const params = {
        path: { path },
        query: { page_size: PAGE_SIZE, ...(pageParam === "" ? {} : { page_token: pageParam }) },
      };
      return kind === "flow"
        ? result(api.GET("/flow-versions/{path}", { params }))
        : result(api.GET("/script-versions/{path}", { params }));
    },
    getNextPageParam: ({ next_page_token }) => next_page_token || undefined,
  });
}

/** The text of a version, and those of its further files by path. */
export interface VersionText {
  readonly text: string;
  readonly files: readonly { readonly path?: string; readonly content?: string }[];
}

/** A version that never changes. */
export function versionTextQuery(workspace: CurrentWorkspace, kind: Kind, path: string, hash: string) {
  const { name, api } = workspace;
  const params = { path: { path }, query: { hash } };
  return queryOptions({
    queryKey: [name, kind, "text", hash],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<VersionText> => {
      if (kind === "flow") {
        const flow = await result(api.GET("/flows/{path}", { params }));
        const files = Object.entries(await flowFiles(workspace, flow));
        return { text: flow.definition ?? "", files: files.map(([name, content]) => ({ path: name, content })) };
      }
      const { content, files } = await result(api.GET("/scripts/{path}", { params }));
      return { text: content ?? "", files: files ?? [] };
    },
  });
}

/** One text of a version with all its files, so that a comparison shows what has changed in any of them. */
export function textOfVersion({ text, files }: VersionText): string {
  return [
    text,
    ...[...files]
      .sort((a, b) => (a.path ?? "").localeCompare(b.path ?? ""))
      .map(({ path, content }) => `--- ${path ?? ""}\n${content ?? ""}`),
  ].join("\n");
}
