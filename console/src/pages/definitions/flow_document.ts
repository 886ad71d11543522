import { parse } from "yaml";
import type { Schema } from "#/pages/definitions/form/schema.ts";

/** A definition in the dialect millrace, as far as the console reads it. */
export interface FlowDocument {
  readonly description?: unknown;
  readonly inputs?: Readonly<Record<string, InputDeclaration | null>>;
  readonly input_schema?: Schema;
  readonly preprocessor?: unknown;
  readonly steps?: readonly FlowStep[];
  /** Whether one worker runs all tasks, which share a folder there. */
  readonly same_worker?: boolean;
  readonly on_failure?: { readonly steps?: readonly FlowStep[] };
  readonly failure_flow?: unknown;
}

interface InputDeclaration {
  readonly type?: string;
  readonly default?: unknown;
  readonly required?: boolean;
  readonly description?: string;
}

/** A step of a definition with what is inside it. */
export interface FlowStep {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly for_each?: unknown;
  readonly while?: unknown;
  readonly switch?: { readonly cases?: readonly Branch[]; readonly default?: Branch };
  readonly parallel?: { readonly branches?: readonly Branch[] };
  readonly steps?: readonly FlowStep[];
  readonly script?: string;
  readonly handler?: string;
  /** The path of a flow, or one that is written in its place. */
  readonly flow?: string | FlowDocument;
  /** `run` if the flow becomes a run of its own. */
  readonly as?: string;
  readonly wait?: unknown;
  readonly value?: unknown;
  readonly set?: unknown;
  readonly publish?: unknown;
  readonly start?: unknown;
  readonly terminate?: unknown;
  readonly on_failure?: string;
  /** Of a loop; 1 if it is absent, so that one iteration follows the other. */
  readonly parallelism?: number | string;
  readonly skip_failures?: unknown;
  /** Tasks around the one of the step. */
  readonly before_retry?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Of a container: whether one worker runs all tasks inside it, which share a folder there. */
  readonly same_worker?: boolean;
}

export interface Branch {
  readonly name?: string;
  readonly equals?: unknown;
  readonly when?: unknown;
  readonly steps?: readonly FlowStep[];
}

/** Reads a definition, which is YAML or JSON; undefined if it is neither. */
export function readFlow(definition: string): FlowDocument | undefined {
  try {
    const document: unknown = parse(definition);
    return typeof document === "object" && document !== null ? (document as FlowDocument) : undefined;
  } catch {
    return undefined;
  }
}

/** The schema of a flow's input: what `inputs` declares, refined by `input_schema`. */
export function inputSchema(flow: FlowDocument): Schema {
  const declared = Object.entries(flow.inputs ?? {});
  const own = flow.input_schema ?? {};
  const properties = Object.fromEntries(
    declared.map(([name, declaration]) => {
      const { type, description, default: initial } = declaration ?? {};
      return [
        name,
        {
          ...(type === undefined || type === "any" ? {} : { type }),
          ...(description === undefined ? {} : { description }),
          ...(initial === undefined ? {} : { default: initial }),
          ...own.properties?.[name],
        },
      ];
    }),
  );
  const required = declared
    .filter(([, declaration]) => declaration?.required ?? declaration?.default === undefined)
    .map(([name]) => name);
  return {
    ...own,
    type: "object",
    // Those that are declared come first, in their order.
    properties: { ...properties, ...own.properties, ...properties },
    required: [...new Set([...required, ...(own.required ?? [])])],
  };
}
