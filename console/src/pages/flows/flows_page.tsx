import { useQuery } from "@tanstack/react-query";
import { DefinitionList } from "#/pages/definitions/definition_list.tsx";
import { flowsQuery } from "#/pages/definitions/queries.ts";
import { EditLink } from "#/parts/edit_link.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState, Loading, ProblemView } from "#/parts/problem_view.tsx";
import { ExampleCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** The deployed flows by path. */
export function FlowsPage() {
  const workspace = useWorkspace();
  const flows = useQuery(flowsQuery(workspace));
  return (
    <Page title={words.flows.title} actions={<EditLink kind="flow" />}>
      {flows.isPending ? (
        <Loading />
      ) : flows.data === undefined ? (
        <ProblemView error={flows.error} onRetry={() => void flows.refetch()} />
      ) : flows.data.items.length === 0 ? (
        <EmptyState title={words.flows.empty}>
          <p>{words.flows.emptyHelp}</p>
          <ExampleCommand command="./millrace flows deploy examples/pipeline/flow.yaml" />
        </EmptyState>
      ) : (
        <DefinitionList
          to="/flows/$"
          items={flows.data.items}
          kind={(flow) => flow.dialect}
          kindName={words.flows.columns.dialect}
        />
      )}
    </Page>
  );
}
