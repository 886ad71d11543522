import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Alert, Delivery } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { deleteAlert, pauseAlert, replay } from "#/pages/alerts/alert_actions.ts";
import { channelOf, setAlert } from "#/pages/alerts/alert_form.ts";
import { alertQuery, deliveriesQuery } from "#/pages/alerts/queries.ts";
import { JsonView } from "#/parts/json_view.tsx";
import { Loaded, LoadedPages } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { Facts, Row, Rows, Section, Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const STATES = ["pending", "delivered", "dead"] as const;
const TONES = { pending: "waiting", delivered: "good", dead: "bad" } as const;

/** An alert with its messages. */
export function AlertPage() {
  const { name } = useParams({ from: "/alerts/$name" });
  const alert = useQuery(alertQuery(useWorkspace(), name));
  return alert.data === undefined ? (
    <Page title={name}>
      <Loaded query={alert}>{() => null}</Loaded>
    </Page>
  ) : (
    <Shown alert={alert.data} onDone={() => void alert.refetch()} />
  );
}

function Shown({ alert, onDone }: { alert: Alert; onDone: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const actions = [
    pauseAlert(workspace, alert),
    setAlert(workspace, alert),
    deleteAlert(workspace, alert, () => void navigate({ to: "/alerts" })),
  ];
  const { channel, to } = channelOf(alert);
  const { alerts } = words;
  return (
    <Page
      title={alert.name}
      actions={
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <FormButton key={action.label} action={action} onDone={onDone} />
          ))}
        </div>
      }
    >
      {alert.paused && <p className="text-sm text-waiting">{alerts.isPaused}</p>}
      {alert.trouble ? <p className="text-sm text-failed">{alert.trouble}</p> : null}
      {alert.gap ? <p className="text-sm text-failed">{alert.gap}</p> : null}
      <Facts
        facts={{
          [alerts.types]: alert.types.join(", "),
          [alerts.folder]: alert.folder,
          [alerts.path]: alert.path,
          [alerts.channel]: alerts.channels[channel],
          [alerts.to]: to,
          [alerts.signing]: alert.webhook?.signing_secret,
          [words.schedules.actor]: alert.created_by,
        }}
      />
      {channel !== "kafka" && <Deliveries alert={alert} onDone={onDone} />}
    </Page>
  );
}

function Deliveries({ alert, onDone }: { alert: Alert; onDone: () => void }) {
  const workspace = useWorkspace();
  const [state, setState] = useState<Delivery["state"]>();
  const deliveries = useInfiniteQuery(deliveriesQuery(workspace, alert.name, state));
  const done = () => {
    onDone();
    void deliveries.refetch();
  };
  return (
    <Section
      title={words.alerts.deliveries}
      actions={
        <>
          {alert.dead > 0 && <FormButton action={replay(workspace, alert)} onDone={done} />}
          <select
            data-filter
            aria-label={words.runs.state}
            value={state ?? ""}
            onChange={(event) => setState(STATES.find((name) => name === event.target.value))}
            className="min-h-8 rounded-md border border-line bg-surface px-2 text-sm"
          >
            <option value="">{words.alerts.allStates}</option>
            {STATES.map((name) => (
              <option key={name} value={name}>
                {words.alerts.states[name]}
              </option>
            ))}
          </select>
        </>
      }
    >
      <LoadedPages query={deliveries}>
        {(items) =>
          items.length === 0 ? (
            <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">
              {words.alerts.noDeliveries}
            </p>
          ) : (
            <Rows label={words.alerts.deliveries}>
              {items.map((delivery) => (
                <Row
                  key={delivery.id}
                  actions={
                    delivery.state !== "pending" && (
                      <FormButton action={replay(workspace, alert, delivery)} onDone={done} />
                    )
                  }
                >
                  <Tag tone={TONES[delivery.state]}>{words.alerts.states[delivery.state]}</Tag>
                  <span className="font-medium">{delivery.event_type}</span>
                  <span className="text-muted">{words.alerts.attempts(delivery.attempts)}</span>
                  {delivery.status ? <span className="text-muted">HTTP {delivery.status}</span> : null}
                  <span className="text-muted">
                    <TimeText time={delivery.create_time} />
                  </span>
                  {delivery.state === "pending" && delivery.next_time !== undefined && (
                    <span className="text-muted">
                      {words.alerts.nextAttempt} <TimeText time={delivery.next_time} />
                    </span>
                  )}
                  {delivery.error ? <span className="w-full break-words text-failed">{delivery.error}</span> : null}
                  <details className="w-full">
                    <summary className="text-xs text-muted">{words.alerts.event}</summary>
                    <div className="mt-1">
                      <JsonView value={delivery.event} label={words.alerts.event} />
                    </div>
                  </details>
                </Row>
              ))}
            </Rows>
          )
        }
      </LoadedPages>
    </Section>
  );
}
