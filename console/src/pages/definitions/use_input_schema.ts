import { useQuery } from "@tanstack/react-query";
import type { Run } from "#/api/types.ts";
import { inputSchema } from "#/pages/definitions/flow_document.ts";
import type { Schema } from "#/pages/definitions/form/schema.ts";
import { scriptQuery } from "#/pages/definitions/queries.ts";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { flowOf, scriptOf } from "#/parts/target.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/** The schema of the input of what a run executes. */
export interface KnownSchema {
  readonly isPending: boolean;
  /** Undefined if nobody has declared the input, or the caller may not see the definition. */
  readonly schema: Schema | undefined;
}

/** The schema of the input of the version that a run executes. */
export function useInputSchema(run: Run): KnownSchema {
  const [flow, script] = [flowOf(run), scriptOf(run)];
  const ofFlow = useFlowDocument(flow, run.target.flow_hash);
  const ofScript = useQuery({
    ...scriptQuery(useWorkspace(), script ?? "", run.target.script_hash),
    enabled: script !== undefined,
  });
  const document = ofFlow.data?.document;
  return {
    isPending: (flow !== undefined && ofFlow.isPending) || (script !== undefined && ofScript.isPending),
    schema:
      flow === undefined
        ? (ofScript.data?.input_schema as Schema | undefined)
        : document === undefined
          ? undefined
          : inputSchema(document),
  };
}
