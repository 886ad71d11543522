import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import type { Schema } from "#/pages/definitions/form/schema.ts";
import { scriptQuery } from "#/pages/definitions/queries.ts";
import { RunsOf } from "#/pages/definitions/runs_of.tsx";
import { SourceView } from "#/pages/definitions/source_view.tsx";
import { StartForm } from "#/pages/definitions/start_form.tsx";
import { DefinitionTabs } from "#/pages/definitions/tabs.tsx";
import { Page } from "#/parts/page.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { tabs } = words.scripts;
const TABS = [
  ["start", tabs.start],
  ["source", tabs.source],
  ["runs", tabs.runs],
] as const;

/** The current version of a script. */
export function ScriptPage() {
  const { _splat: path = "" } = useParams({ from: "/scripts/$" });
  const { tab = "start", input } = useSearch({ from: "/scripts/$" });
  const script = useQuery(scriptQuery(useWorkspace(), path));
  if (script.isPending) {
    return <Loading />;
  }
  if (script.isError) {
    return (
      <Page title={path}>
        <ProblemView error={script.error} onRetry={() => void script.refetch()} />
      </Page>
    );
  }
  const { hash, language, content, files, create_time, input_schema } = script.data;
  return (
    <Page title={path}>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <span>{language}</span>
        <code className="font-mono text-xs break-all">{hash}</code>
        <TimeText time={create_time} />
      </p>
      <DefinitionTabs from="/scripts/$" tabs={TABS} current={tab === "graph" ? "start" : tab} />
      {(tab === "start" || tab === "graph") && (
        <StartForm
          key={`${path} ${input_schema === undefined}`}
          path={path}
          target={{ script: path }}
          schema={input_schema as Schema | undefined}
          given={input}
        />
      )}
      {tab === "source" && (
        <div className="space-y-4">
          <SourceView text={content ?? ""} label={path} />
          {(files ?? []).map((file) => (
            <section key={file.path} className="space-y-1">
              <h2 className="font-mono text-sm">{file.path}</h2>
              <SourceView text={file.content ?? ""} label={file.path ?? ""} />
            </section>
          ))}
        </div>
      )}
      {tab === "runs" && <RunsOf path={path} />}
    </Page>
  );
}
