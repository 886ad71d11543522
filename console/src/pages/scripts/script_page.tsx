import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { DiffView } from "#/pages/definitions/diff_view.tsx";
import type { Schema } from "#/pages/definitions/form/schema.ts";
import { scriptQuery } from "#/pages/definitions/queries.ts";
import { RunsOf } from "#/pages/definitions/runs_of.tsx";
import { SourceView } from "#/pages/definitions/source_view.tsx";
import { StartForm } from "#/pages/definitions/start_form.tsx";
import { DefinitionTabs } from "#/pages/definitions/tabs.tsx";
import { UsersView } from "#/pages/definitions/users_view.tsx";
import { VersionNote } from "#/pages/definitions/version_note.tsx";
import { VersionsView } from "#/pages/definitions/versions_view.tsx";
import { codeLanguage, languageOf } from "#/pages/editor/languages.ts";
import { ScheduleButton } from "#/pages/schedules/schedule_button.tsx";
import { EditLink } from "#/parts/edit_link.tsx";
import { Page } from "#/parts/page.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { VersionHash } from "#/parts/version_hash.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { tabs } = words.scripts;
const TABS = [
  ["start", tabs.start],
  ["source", tabs.source],
  ["versions", words.versions.title],
  ["runs", tabs.runs],
  ["users", words.users.title],
] as const;
const CHANGES = ["changes", words.versions.changes] as const;

/** A script in its current version, or in the one that the address names. */
export function ScriptPage() {
  const { _splat: path = "" } = useParams({ from: "/scripts/$" });
  const { tab = "start", hash: named, input } = useSearch({ from: "/scripts/$" });
  const workspace = useWorkspace();
  const script = useQuery(scriptQuery(workspace, path, named));
  const current = useQuery({ ...scriptQuery(workspace, path), enabled: named !== undefined }).data;
  if (script.isPending) {
    return <Loading />;
  }
  if (script.data === undefined) {
    return (
      <Page title={path}>
        <ProblemView error={script.error} onRetry={() => void script.refetch()} />
      </Page>
    );
  }
  const { hash, language, content, files, create_time, input_schema, used_by } = script.data;
  const isOther = named !== undefined && current !== undefined && current.hash !== hash;
  return (
    <Page
      title={path}
      actions={
        <div className="flex flex-wrap gap-2">
          <ScheduleButton kind="script" path={path} />
          <EditLink kind="script" path={path} />
        </div>
      }
    >
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        <span>{language}</span>
        <VersionHash hash={hash} />
        <TimeText time={create_time} />
      </p>
      <VersionNote from="/scripts/$" isOther={isOther} />
      <DefinitionTabs
        from="/scripts/$"
        tabs={isOther ? [...TABS, CHANGES] : TABS}
        current={tab === "graph" ? "start" : tab}
      />
      {(tab === "start" || tab === "graph") && (
        <StartForm
          key={`${path} ${named} ${input_schema === undefined}`}
          path={path}
          target={named === undefined ? { script: path } : { script_hash: named }}
          schema={input_schema as Schema | undefined}
          given={input}
        />
      )}
      {tab === "source" && (
        <div className="space-y-4">
          <SourceView text={content ?? ""} label={path} language={codeLanguage(path, language)} />
          {(files ?? []).map((file) => (
            <section key={file.path} className="space-y-1">
              <h2 className="font-mono text-sm">{file.path}</h2>
              <SourceView text={file.content ?? ""} label={file.path ?? ""} language={languageOf(file.path ?? "")} />
            </section>
          ))}
        </div>
      )}
      {tab === "changes" && current !== undefined && (
        <DiffView before={content ?? ""} after={current.content ?? ""} label={words.versions.changes} />
      )}
      {tab === "versions" && <VersionsView kind="script" path={path} />}
      {tab === "runs" && <RunsOf path={path} />}
      {tab === "users" && <UsersView kind="script" path={path} flows={used_by ?? []} />}
    </Page>
  );
}
