import { useQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import { DiffView } from "#/pages/definitions/diff_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface FlowSource {
  readonly definition: string;
  readonly file_name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What the server says that a deployment of a flow changes besides its texts: scripts deployed elsewhere, and triggers. */
export function FlowPlan({ source }: { readonly source: FlowSource }) {
  const { name, api } = useWorkspace();
  const plan = useQuery({
    queryKey: ["plan", name, source],
    gcTime: 0,
    retry: false,
    queryFn: () => result(api.POST("/flows:plan", { body: { ...source, files: { ...source.files } } })),
  });
  if (plan.isError) {
    return <ProblemView error={plan.error} />;
  }
  if (plan.data === undefined) {
    return <Loading />;
  }
  const { flow, current, triggers } = plan.data;
  const before = new Map((current?.scripts ?? []).map(({ path, hash }) => [path, hash]));
  const scripts = (flow.scripts ?? []).filter(
    ({ path, hash }) => current !== undefined && before.get(path) !== hash && !(path in source.files),
  );
  const isSame = current !== undefined && current.hash === flow.hash && triggers.length === 0;
  return (
    <ul className="space-y-1 text-sm" aria-label={words.editor.plan}>
      {isSame && <li className="text-muted">{words.editor.planSame}</li>}
      {current === undefined && <li>{words.editor.planNew(flow.path ?? "")}</li>}
      {scripts.map(({ path }) => (
        <li key={path}>{words.editor.planScript(path)}</li>
      ))}
      {triggers.map(({ kind, path, change }) => (
        <li key={`${kind} ${path}`}>{words.editor.planTrigger[change](kind, path)}</li>
      ))}
    </ul>
  );
}

interface ScriptSource {
  readonly path: string;
  readonly content: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What the server says that a deployment of a script changes: its text, its files, and the schema of its inputs. */
export function ScriptPlan({ source }: { readonly source: ScriptSource }) {
  const { name, api } = useWorkspace();
  const plan = useQuery({
    queryKey: ["plan", name, source],
    gcTime: 0,
    retry: false,
    queryFn: () => result(api.POST("/scripts:plan", { body: { ...source, files: { ...source.files } } })),
  });
  if (plan.isError) {
    return <ProblemView error={plan.error} />;
  }
  if (plan.data === undefined) {
    return <Loading />;
  }
  const { script, current } = plan.data;
  const before = textsOf(source.path, current);
  const after = textsOf(source.path, script);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = paths.filter((path) => before[path] !== after[path]);
  const losesSchema = current?.input_schema_origin === "author" && script.input_schema === undefined;
  return (
    <div className="space-y-3">
      {changed.length === 0 && <p className="text-sm text-muted">{words.editor.noChange}</p>}
      {changed.map((path) => (
        <section key={path} className="space-y-1">
          <h3 className="font-mono text-xs">{path}</h3>
          <DiffView before={before[path] ?? ""} after={after[path] ?? ""} label={words.editor.changes} />
        </section>
      ))}
      {losesSchema && <p className="text-sm">{words.editor.planSchema}</p>}
    </div>
  );
}

interface Texts {
  readonly content?: string;
  readonly files?: readonly { readonly path?: string; readonly content?: string }[];
}

function textsOf(path: string, version: Texts | undefined): Readonly<Record<string, string>> {
  if (version === undefined) {
    return {};
  }
  const files = (version.files ?? []).map((file) => [file.path ?? "", file.content ?? ""] as const);
  return Object.fromEntries([[path, version.content ?? ""] as const, ...files]);
}
