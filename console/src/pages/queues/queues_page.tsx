import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspaceEvents } from "#/live/use_workspace_events.ts";
import { OF_WORK } from "#/live/wanted.ts";
import { LimitLines } from "#/pages/queues/limit_lines.tsx";
import { queuesQuery } from "#/pages/queues/queries.ts";
import { QUEUE_LAYOUT, QueueRow } from "#/pages/queues/queue_row.tsx";
import { FilterInput } from "#/parts/filter_input.tsx";
import { ListHead } from "#/parts/list_head.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { WorkerCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const COLUMNS = [
  { key: "tag", name: words.runs.tag },
  { key: "waiting", name: words.queues.waiting },
  { key: "oldest", name: words.queues.oldest },
  { key: "running", name: words.queues.running },
  { key: "slots", name: words.queues.slots },
  { key: "rates", name: words.queues.rates },
];

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
              <div className="overflow-hidden rounded-lg border border-line bg-surface">
                <ListHead layout={`${QUEUE_LAYOUT} max-lg:hidden`} columns={COLUMNS} />
                <ul aria-label={words.queues.title}>
                  {items
                    .filter(({ tag }) => tag.toLowerCase().includes(wanted.toLowerCase()))
                    .map((queue) => (
                      <QueueRow
                        key={`${queue.workspace ?? ""} ${queue.tag}`}
                        queue={queue}
                        onChange={() => void queues.refetch()}
                      />
                    ))}
                </ul>
              </div>
              {has_more && <p className="text-xs text-muted">{words.queues.more}</p>}
            </>
          )
        }
      </Loaded>
      <LimitLines />
    </Page>
  );
}
