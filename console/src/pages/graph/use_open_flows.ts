import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { FlowDocument } from "#/pages/definitions/flow_document.ts";
import { flowDocumentQuery } from "#/pages/definitions/use_flow_document.ts";
import type { OpenFlows } from "#/pages/graph/graph_model.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/** The flows that a person has opened inside a graph, and what opens and closes one. */
export interface FlowOpener {
  readonly open: OpenFlows;
  readonly toggle: (key: string, flow: string) => void;
}

/** Opens flows inside a graph, in the versions that are deployed now: a definition does not tell the versions of its flows. */
export function useOpenFlows(): FlowOpener {
  const workspace = useWorkspace();
  const [wanted, setWanted] = useState<ReadonlyMap<string, string>>(new Map());
  const entries = [...wanted];
  const documents = useQueries({
    queries: entries.map(([, flow]) => flowDocumentQuery(workspace, flow, undefined)),
    combine: (answers) => answers.map(({ data }) => data?.document),
  });
  const keys = entries.map(([key]) => key).join("\n");
  const open = useMemo(() => {
    const found = keys.split("\n").map((key, at) => [key, documents[at]] as const);
    return new Map(found.filter((entry): entry is [string, FlowDocument] => entry[1] !== undefined));
  }, [keys, documents]);
  const toggle = (key: string, flow: string) =>
    setWanted((before) => {
      const next = new Map(before);
      if (!next.delete(key)) {
        next.set(key, flow);
      }
      return next;
    });
  return { open, toggle };
}
