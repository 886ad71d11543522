import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Run, Schedule } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { lastRunsQuery } from "#/pages/definitions/last_runs.ts";
import { cronText } from "#/pages/schedules/cron_text.ts";
import { schedulesQuery } from "#/pages/schedules/queries.ts";
import { setSchedule } from "#/pages/schedules/schedule_form.ts";
import { targetText, timingText } from "#/pages/schedules/schedule_text.ts";
import { FilterInput } from "#/parts/filter_input.tsx";
import { LastRun } from "#/parts/last_run.tsx";
import { ListHead, useSorted } from "#/parts/list_head.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { Tag } from "#/parts/rows.tsx";
import { millisOf } from "#/parts/time.ts";
import { TimeText } from "#/parts/time_text.tsx";
import { ExampleCommand } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** What starts runs at certain times. */
export function SchedulesPage() {
  const workspace = useWorkspace();
  const schedules = useQuery(schedulesQuery(workspace));
  const [wanted, setWanted] = useState("");
  return (
    <Page
      title={words.schedules.title}
      actions={<FormButton action={setSchedule(workspace)} onDone={() => void schedules.refetch()} />}
    >
      <Loaded query={schedules}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={words.schedules.empty}>
              <p>{words.schedules.emptyHelp}</p>
              <ExampleCommand command="./millrace schedules create reports/nightly --flow shop/report --cron '30 2 * * *' --zone Europe/Berlin" />
            </EmptyState>
          ) : (
            <>
              <FilterInput label={words.flows.filter} text={wanted} onChange={setWanted} />
              <List schedules={items.filter(({ path }) => path.toLowerCase().includes(wanted.toLowerCase()))} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const LAYOUT = "grid grid-cols-[1fr_auto] items-baseline gap-x-4 px-4 md:grid-cols-[2fr_2fr_8rem_8rem]";

const VALUES = {
  path: ({ path }: Schedule) => path,
  next: ({ next_time: time }: Schedule) => millisOf(time),
};

function List({ schedules }: { schedules: readonly Schedule[] }) {
  const runs = useQuery(lastRunsQuery(useWorkspace())).data;
  const { sorted, sorting, onSort } = useSorted(schedules, VALUES, { key: "path", isDown: false });
  const columns = [
    { key: "path", name: words.flows.columns.path, isSortable: true },
    { key: "timing", name: words.schedules.timing },
    { key: "lastRun", name: words.lists.lastRunOfTarget, className: "max-md:hidden" },
    { key: "next", name: words.lists.next, isSortable: true, className: "text-right" },
  ];
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <ListHead layout={LAYOUT} columns={columns} sorting={sorting} onSort={onSort} />
      <ul aria-label={words.schedules.title}>
        {sorted.map((schedule) => (
          <Entry key={schedule.path} schedule={schedule} lastRun={runs?.get(targetText(schedule.run))} />
        ))}
      </ul>
    </div>
  );
}

function Entry({ schedule, lastRun }: { schedule: Schedule; lastRun: Run | undefined }) {
  const inWords = schedule.cron?.length === 1 ? cronText(schedule.cron[0] ?? "") : undefined;
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to="/schedules/$"
        params={{ _splat: schedule.path }}
        data-entry
        className={`${LAYOUT} gap-y-0.5 py-2.5 text-sm -outline-offset-2 hover:bg-raised`}
      >
        <span className="min-w-0">
          <span className="block truncate font-medium" title={schedule.path}>
            {schedule.path}
          </span>
          <span className="block truncate text-xs text-muted">{targetText(schedule.run)}</span>
        </span>
        <span className="min-w-0 max-md:order-last max-md:col-span-2">
          {inWords !== undefined && <span className="mr-2">{inWords}</span>}
          <code className="font-mono text-xs break-words text-muted">{timingText(schedule)}</code>{" "}
          <span className="text-xs text-muted">{schedule.zone ?? "UTC"}</span>
        </span>
        <span className="text-muted max-md:hidden">
          <LastRun run={lastRun} />
        </span>
        <span className="text-right text-muted">
          {schedule.paused ? (
            <Tag tone="waiting">{words.states.paused}</Tag>
          ) : schedule.next_time === undefined ? (
            words.schedules.noNext
          ) : (
            <TimeText time={schedule.next_time} />
          )}
        </span>
      </Link>
    </li>
  );
}
