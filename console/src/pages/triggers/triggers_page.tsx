import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { TriggerKind } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { lastRunsQuery } from "#/pages/definitions/last_runs.ts";
import { targetText } from "#/pages/schedules/schedule_text.ts";
import { isKind, KINDS } from "#/pages/triggers/kinds.ts";
import { triggersQuery } from "#/pages/triggers/queries.ts";
import { plainText } from "#/pages/triggers/source_view.tsx";
import { setTrigger, sourceOf } from "#/pages/triggers/trigger_form.ts";
import { TriggerTabs } from "#/pages/triggers/trigger_tabs.tsx";
import { FilterInput } from "#/parts/filter_input.tsx";
import { LastRun } from "#/parts/last_run.tsx";
import { ListHead } from "#/parts/list_head.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { Tag } from "#/parts/rows.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { NotFound } from "#/shell/failures.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const EXAMPLES: Readonly<Record<TriggerKind, string>> = {
  webhook: "examples/webhook/trigger.json",
  event: "trigger.json",
  kafka: "examples/kafka/trigger.json",
  postgres: "examples/postgres/trigger.json",
  mqtt: "examples/mqtt/trigger.json",
};

const LAYOUT = "grid grid-cols-[1fr_auto] items-baseline gap-x-4 px-4 sm:grid-cols-[2fr_2fr_1fr_8rem]";
const COLUMNS = [
  { key: "path", name: words.flows.columns.path },
  { key: "target", name: words.schedules.starts },
  { key: "source", name: words.lists.listensTo },
  { key: "lastRun", name: words.lists.lastRunOfTarget, className: "text-right" },
];

/** What starts runs when something happens outside, one tab for each kind. */
export function TriggersPage() {
  const { kind = KINDS[0] } = useParams({ strict: false });
  return isKind(kind) ? <OfKind kind={kind} /> : <NotFound />;
}

function OfKind({ kind }: { kind: TriggerKind }) {
  const workspace = useWorkspace();
  const triggers = useQuery(triggersQuery(workspace, kind));
  const runs = useQuery(lastRunsQuery(workspace)).data;
  const [wanted, setWanted] = useState("");
  return (
    <Page
      title={words.triggers.title}
      actions={<FormButton key={kind} action={setTrigger(workspace, kind)} onDone={() => void triggers.refetch()} />}
    >
      <TriggerTabs current={kind} />
      <Loaded query={triggers}>
        {({ items = [] }) =>
          items.length === 0 ? (
            <EmptyState title={words.triggers.empty}>
              <p>{words.triggers.emptyHelp[kind]}</p>
              <ActionCommandLine args={["triggers", "apply", EXAMPLES[kind]]} />
            </EmptyState>
          ) : (
            <>
              <FilterInput label={words.flows.filter} text={wanted} onChange={setWanted} />
              <div className="overflow-hidden rounded-lg border border-line bg-surface">
                <ListHead layout={LAYOUT} columns={COLUMNS} />
                <ul aria-label={words.triggers.kinds[kind] ?? kind}>
                  {items
                    .filter(({ path }) => path.toLowerCase().includes(wanted.toLowerCase()))
                    .map((trigger) => (
                      <li key={trigger.path} className="border-b border-line last:border-b-0">
                        <Link
                          to="/triggers/$kind/$"
                          params={{ kind, _splat: trigger.path }}
                          data-entry
                          className={`${LAYOUT} gap-y-0.5 py-2.5 text-sm -outline-offset-2 hover:bg-raised`}
                        >
                          <span className="min-w-0 truncate font-medium" title={trigger.path}>
                            {trigger.path}
                          </span>
                          <span className="min-w-0 truncate text-muted">{targetText(trigger.run)}</span>
                          <span className="min-w-0 truncate font-mono text-xs text-muted">
                            {trigger.webhook?.scheme ?? listensTo(sourceOf(trigger, kind))}
                          </span>
                          <span className="text-right text-muted">
                            {trigger.paused ? (
                              <Tag tone="waiting">{words.states.paused}</Tag>
                            ) : (
                              <LastRun run={runs?.get(targetText(trigger.run))} />
                            )}
                          </span>
                        </Link>
                      </li>
                    ))}
                </ul>
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** What tells triggers of a kind apart: topics, a table, or types of events. Webhooks have their paths. */
function listensTo(source: Readonly<Record<string, unknown>>): string {
  return ["topics", "table", "channel", "types"].map((name) => plainText(source[name])).find(Boolean) ?? "";
}
