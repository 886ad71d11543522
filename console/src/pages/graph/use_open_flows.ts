import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Flow } from "#/api/types.ts";
import type { FlowDocument } from "#/pages/definitions/flow_document.ts";
import { flowDocumentQuery } from "#/pages/definitions/use_flow_document.ts";
import type { OpenFlows } from "#/pages/graph/graph_model.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/** Versions of the flows that another one runs as parts of itself, by their paths. */
export type FlowVersions = ReadonlyMap<string, string>;

/** The versions of the flows inside a flow; those that only runs of their own execute have none. */
export function versionsInside(flow: Flow): FlowVersions {
  return new Map((flow.sub_flows ?? []).map(({ path, hash }) => [path, hash]));
}

/** The flows that a person has opened inside a graph, and what opens and closes one. */
export interface FlowOpener {
  readonly open: OpenFlows;
  readonly toggle: (key: string, flow: string) => void;
}

/**
 * Opens flows inside a graph.
 *
 * @param versions of the flows, by path; one without a version is opened as it is deployed now
 */
export function useOpenFlows(versions: FlowVersions): FlowOpener {
  const workspace = useWorkspace();
  const [wanted, setWanted] = useState<ReadonlyMap<string, string>>(new Map());
  const entries = [...wanted];
  const documents = useQueries({
    queries: entries.map(([, flow]) => flowDocumentQuery(workspace, flow, versions.get(flow))),
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
