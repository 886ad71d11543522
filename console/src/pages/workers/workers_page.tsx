import { Link } from "@tanstack/react-router";
import type { Worker } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { drainWorker, resumeWorker } from "#/pages/workers/drain_actions.ts";
import { drainState } from "#/pages/workers/drain_state.ts";
import { type GoneWorker, useGoneWorkers } from "#/pages/workers/gone.ts";
import { killWorker } from "#/pages/workers/kill_action.ts";
import { useWorkers } from "#/pages/workers/queries.ts";
import { slotsOf } from "#/pages/workers/slots.ts";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { WorkerCommand } from "#/shell/example_command.tsx";
import { words } from "#/words/words.ts";

/** Silence after which a worker is shown as such when it is read: it says something every few seconds. */
const SILENT_MILLIS = 9_000;

/** Who works: the connected workers with their slots and warm processes. */
export function WorkersPage() {
  const workers = useWorkers(true);
  const gone = useGoneWorkers(workers.data?.items);
  return (
    <Page title={words.workers.title}>
      <Loaded query={workers}>
        {({ items }) =>
          items.length === 0 && gone.length === 0 ? (
            <EmptyState title={words.workers.empty}>
              <p>{words.workers.emptyHelp}</p>
              <WorkerCommand />
            </EmptyState>
          ) : (
            <>
              {items.map((worker) => (
                <Card
                  key={worker.session_id}
                  worker={worker}
                  readMillis={workers.dataUpdatedAt}
                  onChange={() => void workers.refetch()}
                />
              ))}
              <GoneWorkers gone={gone} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** The workers that are not connected any more, so that nobody wonders where one is that was there. */
function GoneWorkers({ gone }: { gone: readonly GoneWorker[] }) {
  return gone.map(({ worker, goneMillis }) => (
    <article
      key={worker.session_id}
      className="flex flex-wrap items-baseline gap-x-4 gap-y-1 rounded-lg border border-line border-dashed p-4 text-sm"
    >
      <h2 className="min-w-0 text-base font-semibold break-all text-muted">{worker.name}</h2>
      <span className="rounded bg-failed-soft px-2 font-medium text-failed">{words.workers.gone}</span>
      <span className="text-muted">
        <TimeText time={new Date(goneMillis).toISOString()} />
      </span>
      <span className="text-muted">{words.workers.goneHelp}</span>
    </article>
  ));
}

interface CardProps {
  readonly worker: Worker;
  /** When the page has read of the worker. */
  readonly readMillis: number;
  readonly onChange: () => void;
}

function Card({ worker, readMillis, onChange }: CardProps) {
  const { used, all } = slotsOf(worker);
  const isSilent =
    worker.heartbeat_time !== undefined && readMillis - Date.parse(worker.heartbeat_time) > SILENT_MILLIS;
  return (
    <article className="space-y-3 rounded-lg border border-line bg-surface p-4 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="min-w-0 text-base font-semibold break-all">{worker.name}</h2>
        {isSilent && (
          <span className="rounded bg-failed-soft px-2 font-medium text-failed">{words.workers.silent}</span>
        )}
        <span className="text-muted">{worker.version}</span>
        <span className="text-muted">
          {words.workers.heartbeat} <TimeText time={worker.heartbeat_time} />
        </span>
        <span className="text-muted">
          {words.workers.connected} <TimeText time={worker.connect_time} />
        </span>
        <span className="ml-auto flex gap-2">
          <FormButton action={worker.drain ? resumeWorker(worker) : drainWorker(worker)} onDone={onChange} />
          {worker.killable === true && <FormButton action={killWorker(worker)} onDone={onChange} />}
        </span>
      </div>
      <DrainLine worker={worker} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <meter aria-label={words.workers.slots} className="h-2 w-40" min={0} max={Math.max(all, 1)} value={used} />
        <span>{words.workers.used(used, all)}</span>
        <OccupancyText worker={worker} />
      </div>
      <ul className="space-y-1.5">
        {(worker.slot_groups ?? []).map((group) => (
          <li key={group.name} className="flex flex-wrap items-baseline gap-2">
            <span className="font-medium">{group.name}</span>
            <span className="text-muted tabular-nums">{group.slots}</span>
            {(group.tags ?? []).map((tag) => (
              <code key={tag} className="rounded bg-raised px-1.5 font-mono text-xs break-all">
                {tag}
              </code>
            ))}
            {group.pause_reason ? (
              <span className="w-full text-waiting">{words.workers.paused(group.pause_reason)}</span>
            ) : null}
          </li>
        ))}
      </ul>
      <Pairs name={words.workers.runtimes} pairs={worker.runtimes} />
      <Pairs name={words.workers.labels} pairs={worker.labels} />
      <Processes worker={worker} />
    </article>
  );
}

/** Who drains the worker, and how far that is. */
function DrainLine({ worker }: { worker: Worker }) {
  const state = drainState(worker);
  if (worker.drain === undefined || state === null) {
    return null;
  }
  const { actor, reason, drain_time, groups } = worker.drain;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="rounded bg-waiting-soft px-2 font-medium text-waiting">
        {state === "empty" ? words.workers.drained : words.workers.draining}
      </span>
      <span className="min-w-0 break-words">
        {state === "empty" ? words.workers.drainedHelp : words.workers.drainingHelp(worker.leased_jobs ?? 0, groups)}
      </span>
      <span className="min-w-0 text-muted break-words">
        {words.workers.drainedBy(actor, reason)} <TimeText time={drain_time} />
      </span>
    </p>
  );
}

/** How much of its slots the worker has used lately. */
function OccupancyText({ worker }: { worker: Worker }) {
  if (worker.occupancy === undefined) {
    return null;
  }
  const { last_15s, last_5min, last_30min } = worker.occupancy;
  return (
    <span className="flex flex-wrap gap-x-3 text-muted tabular-nums" title={words.workers.occupancyHelp}>
      <span>{words.workers.occupancy}</span>
      <span>
        {percent(last_15s)} {words.workers.spans.seconds15}
      </span>
      <span>
        {percent(last_5min)} {words.workers.spans.minutes5}
      </span>
      <span>
        {percent(last_30min)} {words.workers.spans.minutes30}
      </span>
    </span>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function Pairs({ name, pairs = {} }: { name: string; pairs: Record<string, string> | undefined }) {
  const entries = Object.entries(pairs);
  return entries.length === 0 ? null : (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
      <span className="text-muted">{name}</span>
      {entries.map(([key, value]) => (
        <span key={key} className="break-all">
          {key} <span className="text-muted">{value}</span>
        </span>
      ))}
    </p>
  );
}

function Processes({ worker }: { worker: Worker }) {
  const processes = worker.processes ?? [];
  return (
    <details>
      <summary className="text-muted">
        {words.workers.processes} ({processes.length})
      </summary>
      {processes.length === 0 ? (
        <p className="mt-2 text-muted">{words.workers.noProcesses}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line rounded-md border border-line">
          {processes.map((process) => (
            <li
              key={`${process.pid} ${process.start_time}`}
              className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-3 py-1.5"
            >
              {process.script ? (
                <Link
                  to="/scripts/$"
                  params={{ _splat: process.script }}
                  className="min-w-0 truncate text-accent hover:underline"
                >
                  {process.script}
                </Link>
              ) : (
                <code className="font-mono text-xs">{process.version?.slice(0, 12)}</code>
              )}
              <span className="text-muted">{process.state}</span>
              <span className="text-muted">{words.workers.jobsEnded(process.jobs_ended ?? 0)}</span>
              <span className="text-muted tabular-nums">{bytesText(process.memory_bytes ?? 0)}</span>
              <span className="text-muted tabular-nums">PID {process.pid}</span>
            </li>
          ))}
        </ul>
      )}
      {(worker.processes_left_off ?? 0) > 0 && (
        <p className="mt-1 text-xs text-muted">{words.workers.processesLeftOff(worker.processes_left_off ?? 0)}</p>
      )}
    </details>
  );
}

function bytesText(bytes: number): string {
  return bytes === 0 ? "" : `${(bytes / (1 << 20)).toFixed(0)} MiB`;
}
