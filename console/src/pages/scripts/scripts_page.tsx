import { useQuery } from "@tanstack/react-query";
import { DefinitionList } from "#/pages/definitions/definition_list.tsx";
import { scriptsQuery } from "#/pages/definitions/queries.ts";
import { EditLink } from "#/parts/edit_link.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState, Loading, ProblemView } from "#/parts/problem_view.tsx";
import { ExampleCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** The deployed scripts by path. */
export function ScriptsPage() {
  const workspace = useWorkspace();
  const scripts = useQuery(scriptsQuery(workspace));
  return (
    <Page title={words.scripts.title} actions={<EditLink kind="script" />}>
      {scripts.isPending ? (
        <Loading />
      ) : scripts.data === undefined ? (
        <ProblemView error={scripts.error} onRetry={() => void scripts.refetch()} />
      ) : scripts.data.items.length === 0 ? (
        <EmptyState title={words.scripts.empty}>
          <p>{words.scripts.emptyHelp}</p>
          <ExampleCommand command="./millrace scripts deploy examples/hello/hello.py" />
        </EmptyState>
      ) : (
        <DefinitionList
          to="/scripts/$"
          items={scripts.data.items}
          kind={(script) => script.language}
          kindName={words.lists.language}
        />
      )}
    </Page>
  );
}
