import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { result } from "#/api/client.ts";
import type { Draft } from "#/pages/editor/draft.ts";
import { FlowEditor } from "#/pages/editor/flow_editor.tsx";
import { flowFiles } from "#/pages/editor/flow_files.ts";
import { ScriptEditor } from "#/pages/editor/script_editor.tsx";
import { NEW_FLOW, NEW_SCRIPT } from "#/pages/editor/templates.ts";
import { Page } from "#/parts/page.tsx";
import { EmptyState, Loading, ProblemView } from "#/parts/problem_view.tsx";
import { useMay } from "#/shell/session.ts";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** What is deployed at a path now, which a draft starts from and is compared with. */
export interface Deployed extends Draft {
  readonly path: string;
  /** Language of a script whose path does not tell it. */
  readonly language?: string | undefined;
}

/** The editor of a flow or script, of one that is deployed or of a new one. */
export function EditorPage() {
  const { kind, _splat: path = "" } = useParams({ strict: false });
  const isFlow = kind !== "script";
  const workspace = useWorkspace();
  const may = useMay("developer", path === "" ? "anywhere" : { path });
  const deployed = useQuery({
    queryKey: [workspace.name, "editor", kind, path],
    enabled: path !== "",
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => (isFlow ? loadFlow(workspace, path) : loadScript(workspace, path)),
  });
  if (!may) {
    return (
      <Page title={path || (isFlow ? words.editor.newFlow : words.editor.newScript)}>
        <EmptyState title={words.settings.notOffered} />
      </Page>
    );
  }
  if (path !== "" && deployed.data === undefined) {
    return deployed.isError ? (
      <Page title={path}>
        <ProblemView error={deployed.error} onRetry={() => void deployed.refetch()} />
      </Page>
    ) : (
      <Loading />
    );
  }
  const key = `${workspace.name} ${isFlow ? "flow" : "script"} ${path}`;
  return isFlow ? (
    <FlowEditor key={key} name={key} deployed={deployed.data} initial={deployed.data ?? NEW_FLOW} />
  ) : (
    <ScriptEditor key={key} name={key} deployed={deployed.data} initial={deployed.data ?? NEW_SCRIPT} />
  );
}

async function loadFlow(workspace: CurrentWorkspace, path: string): Promise<Deployed> {
  const flow = await result(workspace.api.GET("/flows/{path}", { params: { path: { path } } }));
  return { path, text: flow.definition ?? "", files: await flowFiles(workspace, flow) };
}

async function loadScript({ api }: CurrentWorkspace, path: string): Promise<Deployed> {
  const {
    content = "",
    files = [],
    language,
  } = await result(api.GET("/scripts/{path}", { params: { path: { path } } }));
  return {
    path,
    language,
    text: content,
    files: Object.fromEntries(files.map((file) => [file.path ?? "", file.content ?? ""])),
  };
}
