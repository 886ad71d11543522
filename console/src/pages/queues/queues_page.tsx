import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspaceEvents } from "#/live/use_workspace_events.ts";
import { OF_WORK } from "#/live/wanted.ts";
import { LimitLines } from "#/pages/queues/limit_lines.tsx";
import { queuesQuery } from "#/pages/queues/queries.ts";
import { QueueRow } from "#/pages/queues/queue_row.tsx";
import { FilterInput } from "#/parts/filter_input.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { Rows } from "#/parts/rows.tsx";
import { WorkerCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** What waits for workers by tag, why, and the lines of limits. */
export function QueuesPage() {
  const queues = useQuery(queuesQuery);
  const { url } = useWorkspace();
  useWorkspaceEvents(url, OF_WORK, () => void queues.refetch());
  const [wanted, setWanted] = useState("");
  return (
    <Page title={words.queues.title}>
      <Loaded query={queues}>
        {({ items, has_more }) =>
          items.length === 0 ? (
            <EmptyState title={words.queues.empty}>
              <p>{words.queues.emptyHelp}</p>
              <WorkerCommand />
            </EmptyState>
          ) : (
            <>
              <FilterInput label={words.queues.filter} text={wanted} onChange={setWanted} />
              <Rows label={words.queues.title}>
                {items
                  .filter(({ tag }) => tag.toLowerCase().includes(wanted.toLowerCase()))
                  .map((queue) => (
                    <QueueRow
                      key={`${queue.workspace ?? ""} ${queue.tag}`}
                      queue={queue}
                      onChange={() => void queues.refetch()}
                    />
                  ))}
              </Rows>
              {has_more && <p className="text-xs text-muted">{words.queues.more}</p>}
            </>
          )
        }
      </Loaded>
      <LimitLines />
    </Page>
  );
}
