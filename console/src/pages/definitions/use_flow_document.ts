import { useQuery } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";
import { readFlow } from "#/pages/definitions/flow_document.ts";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";

const NATIVE = "millrace";

/** The current version of a flow, and its definition in the dialect millrace if it can be translated. */
function flowDocumentQuery(workspace: CurrentWorkspace, path: string | undefined) {
  return {
    queryKey: [workspace.name, "flows", path ?? "", "document"],
    enabled: path !== undefined,
    staleTime: 5_000,
    queryFn: async () => {
      const flow = await result(workspace.api.GET("/flows/{path}", { params: { path: { path: path ?? "" } } }));
      const definition = flow.definition ?? "";
      if (flow.dialect === NATIVE) {
        return { flow, document: readFlow(definition) };
      }
      const body = { definition, ...(flow.dialect === undefined ? {} : { dialect: flow.dialect }) };
      const { data } = await shared.POST("/api/v1/flows:convert", { body });
      return { flow, document: data?.definition === undefined ? undefined : readFlow(data.definition) };
    },
  };
}

export function useFlowDocument(path: string | undefined) {
  return useQuery(flowDocumentQuery(useWorkspace(), path));
}
