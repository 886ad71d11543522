import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { EventExecution, EventHandler } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { activateHandler, deleteHandler, setHandler } from "#/pages/handlers/handler_form.ts";
import { executionsQuery, handlerQuery } from "#/pages/handlers/queries.ts";
import { JsonView } from "#/parts/json_view.tsx";
import { Loaded, LoadedPages } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { Facts, Row, Rows, Section, Tag } from "#/parts/rows.tsx";
import { RunLink } from "#/parts/run_link.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** An event handler: what it does with which messages, and what it has done. */
export function HandlerPage() {
  const { _splat: path = "" } = useParams({ from: "/triggers/handlers/$" });
  const handler = useQuery(handlerQuery(useWorkspace(), path));
  return handler.data === undefined ? (
    <Page title={path}>
      <Loaded query={handler}>{() => null}</Loaded>
    </Page>
  ) : (
    <Shown handler={handler.data} onDone={() => void handler.refetch()} />
  );
}

function Shown({ handler, onDone }: { handler: EventHandler; onDone: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const executions = useInfiniteQuery(executionsQuery(workspace, handler.path));
  const actions = [
    activateHandler(workspace, handler),
    setHandler(workspace, handler),
    deleteHandler(workspace, handler, () => void navigate({ to: "/triggers/handlers" })),
  ];
  return (
    <Page
      title={handler.path}
      actions={
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <FormButton key={action.label} action={action} onDone={onDone} />
          ))}
        </div>
      }
    >
      {!handler.active && <p className="text-sm text-waiting">{words.handlers.inactiveHelp}</p>}
      <Facts
        facts={{
          [words.handlers.event]: handler.event,
          [words.handlers.condition]: handler.definition.condition && (
            <code className="font-mono text-xs break-all">{handler.definition.condition}</code>
          ),
          [words.handlers.actsFor]: handler.actor,
          [words.handlers.changed]: (
            <>
              <TimeText time={handler.update_time} /> · {words.handlers.version(handler.version)}
            </>
          ),
          [words.handlers.actions]: (
            <JsonView value={handler.definition.actions ?? []} label={words.handlers.actions} />
          ),
        }}
      />
      <Section title={words.schedules.history}>
        <LoadedPages query={executions}>
          {(items) =>
            items.length === 0 ? (
              <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">
                {words.handlers.noHistory}
              </p>
            ) : (
              <Rows label={words.schedules.history}>
                {items.map((execution) => (
                  <Row key={execution.id}>
                    <Execution execution={execution} />
                  </Row>
                ))}
              </Rows>
            )
          }
        </LoadedPages>
      </Section>
    </Page>
  );
}

const TONES = { in_progress: "waiting", completed: "good", failed: "bad", skipped: "plain" } as const;

/** What was done with a message: by which action, for the message of which run, with which end. */
function Execution({ execution }: { execution: EventExecution }) {
  const { state, action, message_run_id, message_source, started_run_id, reason, create_time } = execution;
  return (
    <>
      <Tag tone={TONES[state]}>{words.handlers.states[state]}</Tag>
      {action ? <span className="font-medium">{words.handlers.doing[action] ?? action}</span> : null}
      <span className="text-muted">
        <TimeText time={create_time} />
      </span>
      <span className="inline-flex flex-wrap gap-x-1.5 text-muted">
        {words.handlers.messageOf} {message_run_id ? <RunLink id={message_run_id} /> : message_source}
      </span>
      {started_run_id ? (
        <span className="inline-flex flex-wrap gap-x-1.5 text-muted">
          {words.handlers.started} <RunLink id={started_run_id} />
        </span>
      ) : null}
      {reason ? <span className="w-full break-words text-muted">{reason}</span> : null}
    </>
  );
}
