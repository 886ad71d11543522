import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Schedule } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { schedulesQuery } from "#/pages/schedules/queries.ts";
import { setSchedule } from "#/pages/schedules/schedule_form.ts";
import { targetText, timingText } from "#/pages/schedules/schedule_text.ts";
import { FilterInput } from "#/parts/filter_input.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { Rows, Tag } from "#/parts/rows.tsx";
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
              <Rows label={words.schedules.title}>
                {items
                  .filter(({ path }) => path.toLowerCase().includes(wanted.toLowerCase()))
                  .map((schedule) => (
                    <Entry key={schedule.path} schedule={schedule} />
                  ))}
              </Rows>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Entry({ schedule }: { schedule: Schedule }) {
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to="/schedules/$"
        params={{ _splat: schedule.path }}
        data-entry
        className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm -outline-offset-2 hover:bg-raised md:grid-cols-[1fr_1fr_8rem]"
      >
        <span className="min-w-0">
          <span className="block truncate font-medium" title={schedule.path}>
            {schedule.path}
          </span>
          <span className="block truncate text-xs text-muted">{targetText(schedule.run)}</span>
        </span>
        <span className="min-w-0 max-md:order-last max-md:col-span-2">
          <code className="font-mono text-xs break-words">{timingText(schedule)}</code>{" "}
          <span className="text-xs text-muted">{schedule.zone ?? "UTC"}</span>
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
