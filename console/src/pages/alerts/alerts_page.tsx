import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FormButton } from "#/forms/form_button.tsx";
import { channelOf, setAlert } from "#/pages/alerts/alert_form.ts";
import { alertsQuery } from "#/pages/alerts/queries.ts";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { Rows, Tag } from "#/parts/rows.tsx";
import { ExampleCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** Who is told when something happens. */
export function AlertsPage() {
  const workspace = useWorkspace();
  const alerts = useQuery(alertsQuery(workspace));
  return (
    <Page
      title={words.alerts.title}
      actions={<FormButton action={setAlert(workspace)} onDone={() => void alerts.refetch()} />}
    >
      <Loaded query={alerts}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={words.alerts.empty}>
              <p>{words.alerts.emptyHelp}</p>
              <ExampleCommand command="./millrace alerts set failures --type run.failed --slack-secret ops/slack" />
            </EmptyState>
          ) : (
            <Rows label={words.alerts.title}>
              {items.map((alert) => (
                <li key={alert.name} className="border-b border-line last:border-b-0">
                  <Link
                    to="/alerts/$name"
                    params={{ name: alert.name }}
                    data-entry
                    className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5 text-sm -outline-offset-2 hover:bg-raised"
                  >
                    <span className="min-w-0 flex-1 basis-40 truncate font-medium">{alert.name}</span>
                    <span className="min-w-0 flex-1 basis-40 truncate text-muted">{alert.types.join(", ")}</span>
                    <Tag>{words.alerts.channels[channelOf(alert).channel]}</Tag>
                    {alert.paused && <Tag tone="waiting">{words.states.paused}</Tag>}
                    {alert.waiting > 0 && <Tag tone="waiting">{words.alerts.waiting(alert.waiting)}</Tag>}
                    {alert.trouble ? <Tag tone="bad">{words.alerts.trouble}</Tag> : null}
                    {alert.dead > 0 && <Tag tone="bad">{words.alerts.dead(alert.dead)}</Tag>}
                  </Link>
                </li>
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Page>
  );
}
