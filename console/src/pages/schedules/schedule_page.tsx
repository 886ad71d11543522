import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schedule, ScheduleStart } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { DeclaredNote } from "#/pages/schedules/declared_note.tsx";
import { Occurrences } from "#/pages/schedules/occurrences.tsx";
import { backfillsQuery, historyQuery, scheduleQuery, timesQuery, versionsQuery } from "#/pages/schedules/queries.ts";
import {
  backfillSchedule,
  deleteSchedule,
  pauseSchedule,
  triggerSchedule,
} from "#/pages/schedules/schedule_actions.ts";
import { setSchedule } from "#/pages/schedules/schedule_form.ts";
import { timingText } from "#/pages/schedules/schedule_text.ts";
import { zoneTimes } from "#/pages/schedules/zone_times.ts";
import { JsonView } from "#/parts/json_view.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { Facts, Row, Rows, Section, Tag } from "#/parts/rows.tsx";
import { FlowLink, TargetLink } from "#/parts/target_link.tsx";
import { lengthText } from "#/parts/time.ts";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** A schedule: when it fires next, and what it has started. */
export function SchedulePage() {
  const { _splat: path = "" } = useParams({ from: "/schedules/$" });
  const schedule = useQuery(scheduleQuery(useWorkspace(), path));
  return schedule.data === undefined ? (
    <Page title={path}>
      <Loaded query={schedule}>{() => null}</Loaded>
    </Page>
  ) : (
    <Shown schedule={schedule.data} onDone={() => void schedule.refetch()} />
  );
}

function Shown({ schedule, onDone }: { schedule: Schedule; onDone: () => void }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const history = useQuery(historyQuery(workspace, schedule.path));
  const backfills = useQuery(backfillsQuery(workspace, schedule.path));
  const done = () => {
    onDone();
    void history.refetch();
    void backfills.refetch();
  };
  const actions = [
    triggerSchedule(workspace, schedule, (id) => void navigate({ to: "/runs/$id", params: { id } })),
    pauseSchedule(workspace, schedule),
    backfillSchedule(workspace, schedule),
    ...(schedule.flow === undefined
      ? [
          setSchedule(workspace, schedule),
          deleteSchedule(workspace, schedule, () => void navigate({ to: "/schedules" })),
        ]
      : []),
  ];
  return (
    <Page
      title={schedule.path}
      actions={
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <FormButton key={action.label} action={action} onDone={done} />
          ))}
        </div>
      }
    >
      <DeclaredNote flow={schedule.flow} />
      <About schedule={schedule} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Times schedule={schedule} />
        <Section title={words.schedules.history}>
          <Loaded query={history}>
            {({ items }) => <Occurrences items={items.map(occurrence)} empty={words.schedules.noHistory} />}
          </Loaded>
        </Section>
        <Section title={words.schedules.backfills}>
          <Loaded query={backfills}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty>{words.schedules.noBackfills}</Empty>
              ) : (
                <Rows label={words.schedules.backfills}>
                  {items.map((backfill) => (
                    <Row key={backfill.id}>
                      <span>
                        {backfill.from} – {backfill.to}
                      </span>
                      <span className="text-muted">{words.schedules.backfilled(backfill.started, backfill.total)}</span>
                      <progress
                        aria-label={words.schedules.backfills}
                        max={Math.max(1, backfill.total)}
                        value={backfill.started}
                        className="h-2 w-32"
                      />
                      <span className="text-muted">
                        {backfill.actor} <TimeText time={backfill.end_time ?? backfill.create_time} />
                      </span>
                    </Row>
                  ))}
                </Rows>
              )
            }
          </Loaded>
        </Section>
        <Versions schedule={schedule} />
      </div>
    </Page>
  );
}

function occurrence({ occurrence, state, run_id, reason, note_time, occur_time }: ScheduleStart) {
  return {
    key: occurrence,
    name: occurrence,
    state,
    stateText: words.schedules.states[state],
    run: run_id,
    reason,
    time: note_time ?? occur_time,
  };
}

function About({ schedule }: { schedule: Schedule }) {
  const { run } = schedule;
  const { input } = run as { input?: unknown };
  const { schedules } = words;
  return (
    <>
      {schedule.paused && (
        <p className="text-sm text-waiting">
          {schedules.pausedSince} <TimeText time={schedule.pause_time} />
        </p>
      )}
      <Facts
        facts={{
          [schedules.description]: schedule.description,
          [schedules.starts]: <TargetLink run={run} />,
          [schedules.timing]: (
            <>
              <code className="font-mono text-xs">{timingText(schedule)}</code> {schedule.zone ?? "UTC"}
            </>
          ),
          [schedules.exclude]: (schedule.exclude ?? []).join(", "),
          [schedules.overlap]: schedule.overlap === undefined ? undefined : schedules.overlaps[schedule.overlap],
          [schedules.catchUp]: lengthText(schedule.catch_up),
          [schedules.waiting]: schedule.waiting === 0 ? undefined : schedule.waiting,
          [schedules.actor]: schedule.actor,
          [schedules.declaredBy]: schedule.flow === undefined ? undefined : <FlowLink path={schedule.flow} />,
          [words.run.input]: input === undefined ? undefined : <JsonView value={input} label={words.run.input} />,
        }}
      />
    </>
  );
}

function Times({ schedule }: { schedule: Schedule }) {
  const times = useQuery(timesQuery(useWorkspace(), schedule.path, schedule.version));
  const zone = schedule.zone ?? "UTC";
  return (
    <Section title={words.schedules.next}>
      <p className="text-xs text-muted">{words.schedules.nextHelp(zone)}</p>
      {schedule.paused && <p className="text-xs text-waiting">{words.schedules.nextPaused}</p>}
      <Loaded query={times}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{words.schedules.noNextHelp}</Empty>
          ) : (
            <Rows label={words.schedules.next}>
              {zoneTimes(
                items.map(({ occur_time }) => occur_time),
                zone,
              ).map(({ at, text, shiftMinutes }) => (
                <Row key={at}>
                  <span className="flex-1 tabular-nums">{text}</span>
                  {shiftMinutes !== 0 && <Tag tone="waiting">{words.schedules.clocks(shiftMinutes)}</Tag>}
                  {!schedule.paused && (
                    <span className="text-muted">
                      <TimeText time={at} />
                    </span>
                  )}
                </Row>
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  );
}

function Versions({ schedule }: { schedule: Schedule }) {
  const versions = useQuery(versionsQuery(useWorkspace(), schedule.path, schedule.version));
  return (
    <Section title={words.schedules.versions}>
      <Loaded query={versions}>
        {({ items }) => (
          <Rows label={words.schedules.versions}>
            {items.map((version) => (
              <Row key={version.version}>
                <span className="tabular-nums">{version.version}</span>
                <span>{words.schedules.changes[version.change]}</span>
                <span className="text-muted">{version.actor}</span>
                <span className="text-muted">
                  <TimeText time={version.change_time} />
                </span>
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

function Empty({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">{children}</p>;
}
