import { useParams, useSearch } from "@tanstack/react-router";
import { DiffView } from "#/pages/definitions/diff_view.tsx";
import { inputSchema } from "#/pages/definitions/flow_document.ts";
import { RunsOf } from "#/pages/definitions/runs_of.tsx";
import { SourceView } from "#/pages/definitions/source_view.tsx";
import { StartForm } from "#/pages/definitions/start_form.tsx";
import { DefinitionTabs } from "#/pages/definitions/tabs.tsx";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { UsersView } from "#/pages/definitions/users_view.tsx";
import { VersionNote } from "#/pages/definitions/version_note.tsx";
import { VersionsView } from "#/pages/definitions/versions_view.tsx";
import { versionsInside } from "#/pages/graph/use_open_flows.ts";
import { ScheduleButton } from "#/pages/schedules/schedule_button.tsx";
import { EditLink } from "#/parts/edit_link.tsx";
import { Page } from "#/parts/page.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { VersionHash } from "#/parts/version_hash.tsx";
import { lazyPart } from "#/shell/lazy_part.tsx";
import { words } from "#/words/words.ts";

const FlowGraph = lazyPart(() => import("#/pages/graph/flow_graph.tsx").then((module) => module.FlowGraph));

const { tabs } = words.flows;
const TABS = [
  ["start", tabs.start],
  ["graph", tabs.graph],
  ["source", tabs.definition],
  ["versions", words.versions.title],
  ["runs", tabs.runs],
  ["users", words.users.title],
] as const;
const CHANGES = ["changes", words.versions.changes] as const;

/** A flow in its current version, or in the one that the address names. */
export function FlowPage() {
  const { _splat: path = "" } = useParams({ from: "/flows/$" });
  const { tab = "start", hash, input } = useSearch({ from: "/flows/$" });
  const loaded = useFlowDocument(path, hash);
  const current = useFlowDocument(hash === undefined ? undefined : path).data?.flow;
  if (loaded.isPending) {
    return <Loading />;
  }
  if (loaded.data === undefined) {
    return (
      <Page title={path}>
        <ProblemView error={loaded.error} onRetry={() => void loaded.refetch()} />
      </Page>
    );
  }
  const { flow, document } = loaded.data;
  const isOther = hash !== undefined && current !== undefined && current.hash !== flow.hash;
  return (
    <Page
      title={path}
      actions={
        <div className="flex flex-wrap gap-2">
          <ScheduleButton kind="flow" path={path} />
          <EditLink kind="flow" path={path} />
        </div>
      }
    >
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        <span>{flow.dialect}</span>
        <VersionHash hash={flow.hash} />
        <TimeText time={flow.create_time} />
      </p>
      {typeof document?.description === "string" && (
        <p className="max-w-3xl text-sm break-words whitespace-pre-wrap">{document.description}</p>
      )}
      <VersionNote from="/flows/$" isOther={isOther} />
      <DefinitionTabs from="/flows/$" tabs={isOther ? [...TABS, CHANGES] : TABS} current={tab} />
      {tab === "start" && (
        <StartForm
          key={`${path} ${hash}`}
          path={path}
          target={hash === undefined ? { flow: path } : { flow_hash: hash }}
          schema={document === undefined ? undefined : inputSchema(document)}
          given={input}
        />
      )}
      {tab === "graph" &&
        (document === undefined ? (
          <p className="text-sm text-muted">{words.graph.unread}</p>
        ) : (
          <FlowGraph
            document={document}
            versions={versionsInside(flow)}
            steps={undefined}
            selected={undefined}
            onSelect={undefined}
          />
        ))}
      {tab === "source" && <SourceView text={flow.definition ?? ""} label={tabs.definition} language="yaml" />}
      {tab === "changes" && current !== undefined && (
        <DiffView before={flow.definition ?? ""} after={current.definition ?? ""} label={words.versions.changes} />
      )}
      {tab === "versions" && <VersionsView kind="flow" path={path} />}
      {tab === "runs" && <RunsOf path={path} />}
      {tab === "users" && <UsersView kind="flow" path={path} flows={flow.used_by ?? []} />}
    </Page>
  );
}
