import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { inputSchema } from "#/pages/definitions/flow_document.ts";
import { RunsOf } from "#/pages/definitions/runs_of.tsx";
import { SourceView } from "#/pages/definitions/source_view.tsx";
import { StartForm } from "#/pages/definitions/start_form.tsx";
import { DefinitionTabs } from "#/pages/definitions/tabs.tsx";
import { useFlowDocument } from "#/pages/definitions/use_flow_document.ts";
import { Page } from "#/parts/page.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

const FlowGraph = lazy(() => import("#/pages/graph/flow_graph.tsx").then((module) => ({ default: module.FlowGraph })));

const { tabs } = words.flows;
const TABS = [
  ["start", tabs.start],
  ["graph", tabs.graph],
  ["source", tabs.definition],
  ["runs", tabs.runs],
] as const;

/** The current version of a flow. */
export function FlowPage() {
  const { _splat: path = "" } = useParams({ from: "/flows/$" });
  const { tab = "start", input } = useSearch({ from: "/flows/$" });
  const loaded = useFlowDocument(path);
  if (loaded.isPending) {
    return <Loading />;
  }
  if (loaded.isError) {
    return (
      <Page title={path}>
        <ProblemView error={loaded.error} onRetry={() => void loaded.refetch()} />
      </Page>
    );
  }
  const { flow, document } = loaded.data;
  return (
    <Page title={path}>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <span>{flow.dialect}</span>
        <code className="font-mono text-xs break-all">{flow.hash}</code>
        <TimeText time={flow.create_time} />
      </p>
      <DefinitionTabs from="/flows/$" tabs={TABS} current={tab} />
      {tab === "start" && (
        <StartForm
          key={path}
          path={path}
          target={{ flow: path }}
          schema={document === undefined ? undefined : inputSchema(document)}
          given={input}
        />
      )}
      {tab === "graph" &&
        (document === undefined ? (
          <p className="text-sm text-muted">{words.graph.unread}</p>
        ) : (
          <Suspense fallback={<Loading />}>
            <FlowGraph document={document} steps={undefined} selected={undefined} onSelect={undefined} />
          </Suspense>
        ))}
      {tab === "source" && <SourceView text={flow.definition ?? ""} label={tabs.definition} />}
      {tab === "runs" && <RunsOf path={path} />}
    </Page>
  );
}
