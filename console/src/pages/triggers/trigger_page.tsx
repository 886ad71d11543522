import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { Trigger, TriggerKind } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { DeclaredNote } from "#/pages/schedules/declared_note.tsx";
import { Occurrences } from "#/pages/schedules/occurrences.tsx";
import { isKind } from "#/pages/triggers/kinds.ts";
import { eventsQuery, triggerQuery } from "#/pages/triggers/queries.ts";
import { SourceView } from "#/pages/triggers/source_view.tsx";
import {
  deleteTrigger,
  pauseTrigger,
  setTrigger,
  sourceOf,
  startFromCall,
  testWebhook,
} from "#/pages/triggers/trigger_form.ts";
import { CommandLine } from "#/parts/copy_button.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { Loaded, LoadedPages } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { Facts, Row, Rows, Section } from "#/parts/rows.tsx";
import { FlowLink, TargetLink } from "#/parts/target_link.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { root } from "#/root.ts";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { NotFound } from "#/shell/failures.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** A trigger: where it listens, and what it has started and refused. */
export function TriggerPage() {
  const { kind: named, _splat: path = "" } = useParams({ from: "/triggers/$kind/$" });
  return isKind(named) ? <Named key={`${named} ${path}`} kind={named} path={path} /> : <NotFound />;
}

function Named({ kind, path }: { kind: TriggerKind; path: string }) {
  const trigger = useQuery(triggerQuery(useWorkspace(), kind, path));
  return trigger.data === undefined ? (
    <Page title={path}>
      <Loaded query={trigger}>{() => null}</Loaded>
    </Page>
  ) : (
    <Shown trigger={trigger.data} kind={kind} onDone={() => void trigger.refetch()} />
  );
}

function Shown({ trigger, kind, onDone }: { trigger: Trigger; kind: TriggerKind; onDone: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const events = useInfiniteQuery(eventsQuery(workspace, kind, trigger.path));
  const actions = [
    ...(kind === "webhook" ? [testWebhook(workspace, trigger)] : []),
    pauseTrigger(workspace, trigger),
    ...(trigger.flow === undefined
      ? [
          setTrigger(workspace, kind, trigger),
          deleteTrigger(workspace, trigger, () => void navigate({ to: "/triggers/$kind", params: { kind } })),
        ]
      : []),
  ];
  return (
    <Page
      title={trigger.path}
      actions={
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <FormButton key={action.label} action={action} onDone={onDone} />
          ))}
        </div>
      }
    >
      <DeclaredNote flow={trigger.flow} />
      <About trigger={trigger} kind={kind} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Section title={words.schedules.history}>
          {kind === "webhook" && <RefusedCalls trigger={trigger} events={events.data?.pages ?? []} />}
          <LoadedPages query={events}>
            {(items) => (
              <Occurrences
                empty={words.triggers.noHistory}
                items={items.map(({ occurrence = "", state = "pending", run_id, reason, time }) => ({
                  key: occurrence,
                  name: occurrence,
                  state,
                  stateText: words.triggers.states[state],
                  run: run_id,
                  reason,
                  time,
                }))}
              />
            )}
          </LoadedPages>
        </Section>
        <Section title={words.schedules.versions}>
          <Rows label={words.schedules.versions}>
            {(trigger.changes ?? []).map(({ version, change = "update", actor, time }) => (
              <Row key={version}>
                <span className="tabular-nums">{version}</span>
                <span>{words.schedules.changes[change]}</span>
                <span className="text-muted">{actor}</span>
                <span className="text-muted">
                  <TimeText time={time} />
                </span>
              </Row>
            ))}
          </Rows>
        </Section>
      </div>
    </Page>
  );
}

interface RefusedProps {
  readonly trigger: Trigger;
  readonly events: readonly { readonly items?: readonly { readonly state?: string }[] }[];
}

/** What can be done about calls that a webhook has refused; nothing if it has refused none. */
function RefusedCalls({ trigger, events }: RefusedProps) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  if (!events.some(({ items = [] }) => items.some(({ state }) => state === "refused"))) {
    return null;
  }
  const started = (id: string) => void navigate({ to: "/runs/$id", params: { id } });
  return (
    <div className="space-y-2 rounded-lg border border-line bg-surface p-4 text-sm">
      <p>{words.triggers.refusedHelp}</p>
      <FormButton action={startFromCall(workspace, trigger, started)} onDone={() => undefined} />
      <p className="text-muted">{words.triggers.refusedCommand}</p>
      <ActionCommandLine args={["triggers", "test", trigger.path, "call.json"]} isShared={false} />
    </div>
  );
}

function About({ trigger, kind }: { trigger: Trigger; kind: TriggerKind }) {
  const workspace = useWorkspace();
  const source = sourceOf(trigger, kind);
  const address = `${document.location.origin}${root}hooks/${encodeURIComponent(workspace.name)}/${trigger.path}`;
  return (
    <>
      {trigger.paused && (
        <p className="text-sm text-waiting">
          {words.schedules.pausedSince} <TimeText time={trigger.pause_time} />
        </p>
      )}
      {kind === "webhook" && (
        <div className="space-y-1">
          <h2 className="text-sm text-muted">{words.triggers.address}</h2>
          <CommandLine command={address} />
        </div>
      )}
      <Facts
        facts={{
          [words.schedules.description]: trigger.description,
          [words.triggers.kind]: words.triggers.kinds[kind],
          [words.schedules.starts]: <TargetLink run={trigger.run} />,
          [words.triggers.scheme]:
            trigger.webhook === undefined ? undefined : words.triggers.schemes[trigger.webhook.scheme],
          [words.schedules.actor]: trigger.actor,
          [words.schedules.declaredBy]: trigger.flow === undefined ? undefined : <FlowLink path={trigger.flow} />,
          [words.triggers.fixedInput]:
            trigger.run.input === undefined ? undefined : (
              <JsonView value={trigger.run.input} label={words.triggers.fixedInput} />
            ),
          [words.triggers.source]: <SourceView source={source} />,
        }}
      />
    </>
  );
}
