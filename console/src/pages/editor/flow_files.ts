import { result } from "#/api/client.ts";
import type { Flow } from "#/api/types.ts";
import type { CurrentWorkspace } from "#/shell/workspace.ts";

/** Number of script files that the editor reads with a flow. */
const FILES_MAX = 100;
/** Number of deployed scripts among which the editor looks for those that the flow names. */
const DEPLOYED_MAX = 1_000;

/**
 * The files of a version of a flow: the scripts that lie beside its definition, with what they import. Scripts that are
 * deployed under paths of their own, and those that stand in the definition, are none of its files.
 */
export async function flowFiles({ api }: CurrentWorkspace, flow: Flow): Promise<Readonly<Record<string, string>>> {
  const scripts = flow.scripts ?? [];
  if (scripts.length === 0) {
    return {};
  }
  const body = { definition: flow.definition ?? "" };
  const { script_paths = [] } = await result(api.POST("/flows:validate", { body }));
  const deployed = (await result(api.GET("/scripts", { params: { query: { page_size: DEPLOYED_MAX } } }))).items;
  const isFile = ({ path, hash }: (typeof scripts)[number]) =>
    script_paths.includes(path) && !deployed.some((script) => script.path === path && script.hash === hash);
  const found = await Promise.all(
    scripts
      .filter(isFile)
      .slice(0, FILES_MAX)
      .map(async ({ path, hash }) => {
        const params = { path: { path }, query: { hash } };
        return filesOf(path, await result(api.GET("/scripts/{path}", { params })));
      }),
  );
  return Object.fromEntries(found.flat());
}

interface Content {
  readonly content?: string;
  readonly files?: readonly { readonly path?: string; readonly content?: string }[];
}

function filesOf(path: string, { content = "", files = [] }: Content): readonly (readonly [string, string])[] {
  return [[path, content], ...files.map((file) => [file.path ?? "", file.content ?? ""] as const)];
}
