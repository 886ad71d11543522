import { useQuery } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";
import { readFlow } from "#/pages/definitions/flow_document.ts";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";

const NATIVE = "millrace";

/** Reads a version of a flow, and its definition in the dialect millrace if it can be translated. */
export async function fetchFlowDocument(workspace: CurrentWorkspace, path: string, hash: string | undefined) {
  const query = hash === undefined ? {} : { hash };
  const flow = await result(workspace.api.GET("/flows/{path}", { params: { path: { path }, query } }));
  const definition = flow.definition ?? "";
  if (flow.dialect === NATIVE) {
    return { flow, document: readFlow(definition) };
  }
  const body = { definition, ...(flow.dialect === undefined ? {} : { dialect: flow.dialect }) };
  const { data } = await shared.POST("/api/v1/flows:convert", { body });
  return { flow, document: data?.definition === undefined ? undefined : readFlow(data.definition) };
}

/**
 * A version of a flow, and its definition in the dialect millrace if it can be translated.
 *
 * @param hash the version, or undefined for the current one
 */
export function flowDocumentQuery(workspace: CurrentWorkspace, path: string | undefined, hash: string | undefined) {
  return {
    queryKey: [workspace.name, "flows", path ?? "", "document", hash ?? ""],
    enabled: path !== undefined,
    // A version never changes.
    staleTime: hash === undefined ? 5_000 : Number.POSITIVE_INFINITY,
    queryFn: () => fetchFlowDocument(workspace, path ?? "", hash),
  };
}

/** The version of a flow that a hash names, or the current one. */
export function useFlowDocument(path: string | undefined, hash?: string) {
  return useQuery(flowDocumentQuery(useWorkspace(), path, hash));
}
