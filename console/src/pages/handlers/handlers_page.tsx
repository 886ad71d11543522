import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { FormButton } from "#/forms/form_button.tsx";
import { setHandler } from "#/pages/handlers/handler_form.ts";
import { handlersQuery } from "#/pages/handlers/queries.ts";
import { TriggerTabs } from "#/pages/triggers/trigger_tabs.tsx";
import { FilterInput } from "#/parts/filter_input.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { Rows, Tag } from "#/parts/rows.tsx";
import { ExampleCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** The event handlers: what happens to messages that steps publish. */
export function HandlersPage() {
  const workspace = useWorkspace();
  const handlers = useQuery(handlersQuery(workspace));
  const [wanted, setWanted] = useState("");
  return (
    <Page
      title={words.triggers.title}
      actions={<FormButton action={setHandler(workspace)} onDone={() => void handlers.refetch()} />}
    >
      <TriggerTabs current="handlers" />
      <Loaded query={handlers}>
        {({ items = [] }) =>
          items.length === 0 ? (
            <EmptyState title={words.triggers.empty}>
              <p>{words.handlers.emptyHelp}</p>
              <ExampleCommand command="./millrace event-handlers apply handler.json" />
            </EmptyState>
          ) : (
            <>
              <FilterInput label={words.handlers.filter} text={wanted} onChange={setWanted} />
              <Rows label={words.handlers.title}>
                {items
                  .filter(({ path, event }) => `${path} ${event}`.toLowerCase().includes(wanted.toLowerCase()))
                  .map(({ path, event, active }) => (
                    <li key={path} className="border-b border-line last:border-b-0">
                      <Link
                        to="/triggers/handlers/$"
                        params={{ _splat: path }}
                        data-entry
                        className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm -outline-offset-2 hover:bg-raised"
                      >
                        <span className="min-w-0 flex-1 basis-40 truncate font-medium" title={path}>
                          {path}
                        </span>
                        <span className="min-w-0 flex-1 basis-40 truncate text-muted" title={event}>
                          {event}
                        </span>
                        {!active && <Tag tone="waiting">{words.handlers.inactive}</Tag>}
                      </Link>
                    </li>
                  ))}
              </Rows>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
