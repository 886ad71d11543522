import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { lastRunsQuery } from "#/pages/definitions/last_runs.ts";
import { schedulesQuery } from "#/pages/schedules/queries.ts";
import { targetText } from "#/pages/schedules/schedule_text.ts";
import { FilterInput } from "#/parts/filter_input.tsx";
import { LastRun } from "#/parts/last_run.tsx";
import { type Column, ListHead, useSorted } from "#/parts/list_head.tsx";
import { millisOf } from "#/parts/time.ts";
import { TimeText } from "#/parts/time_text.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** A flow or a script in a list. */
export interface Definition {
  readonly path?: string;
  readonly hash?: string;
  readonly create_time?: string;
}

interface Props<T extends Definition> {
  readonly to: "/flows/$" | "/scripts/$";
  readonly items: readonly T[];
  /** The dialect of a flow, the language of a script. */
  readonly kind: (item: T) => ReactNode;
  readonly kindName: string;
}

const LAYOUT =
  "grid grid-cols-[1fr_auto] items-baseline gap-x-4 px-4 sm:grid-cols-[1fr_8rem_7rem] lg:grid-cols-[1fr_8rem_8rem_7rem_8rem_7rem]";
const WIDE = "max-lg:hidden";

/** Flows or scripts with a filter: when they ran last and run next, and when they were deployed. */
export function DefinitionList<T extends Definition>({ to, items, kind, kindName }: Props<T>) {
  const workspace = useWorkspace();
  const [wanted, setWanted] = useState("");
  const runs = useQuery(lastRunsQuery(workspace)).data;
  const schedules = useQuery(schedulesQuery(workspace)).data;
  const next = useMemo(() => nextTimes(schedules?.items ?? []), [schedules]);
  const values = useMemo(
    () => ({
      path: ({ path }: T) => path,
      lastRun: ({ path }: T) => millisOf(runs?.get(path ?? "")?.create_time),
      next: ({ path }: T) => millisOf(next.get(path ?? "")),
      deployed: ({ create_time: time }: T) => millisOf(time),
    }),
    [runs, next],
  );
  const { sorted, sorting, onSort } = useSorted(items, values, { key: "path", isDown: false });
  const shown = sorted.filter((item) => item.path?.toLowerCase().includes(wanted.toLowerCase()));
  const { columns: names } = words.flows;
  const columns: readonly Column[] = [
    { key: "path", name: names.path, isSortable: true },
    { key: "lastRun", name: words.lists.lastRun, isSortable: true },
    { key: "next", name: words.lists.next, isSortable: true, className: WIDE },
    { key: "kind", name: kindName, className: WIDE },
    { key: "version", name: names.version, className: WIDE },
    { key: "deployed", name: names.created, isSortable: true, className: "text-right" },
  ];
  return (
    <div className="space-y-3">
      <FilterInput label={words.flows.filter} text={wanted} onChange={setWanted} />
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{words.flows.noMatch}</p>
      ) : (
        <div className="overflow-hidden rounded-lg border border-line bg-surface">
          <ListHead layout={LAYOUT} columns={columns} sorting={sorting} onSort={onSort} />
          <ul>
            {shown.map((item) => (
              <li key={item.path} className="border-b border-line last:border-b-0">
                <Link
                  to={to}
                  params={{ _splat: item.path ?? "" }}
                  data-entry
                  className={`${LAYOUT} py-2.5 text-sm -outline-offset-2 hover:bg-raised`}
                >
                  <span className="truncate font-medium" title={item.path}>
                    {item.path}
                  </span>
                  <span className="min-w-0 text-muted max-sm:text-right">
                    <LastRun run={runs?.get(item.path ?? "")} />
                  </span>
                  <span className={`text-muted ${WIDE}`}>
                    <TimeText time={next.get(item.path ?? "")} />
                  </span>
                  <span className={`truncate text-muted ${WIDE}`}>{kind(item)}</span>
                  <code className={`font-mono text-xs text-muted ${WIDE}`}>{item.hash?.slice(0, 12)}</code>
                  <span className="text-right text-muted max-sm:hidden">
                    <TimeText time={item.create_time} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** When schedules start each flow and script next, by its path. */
function nextTimes(
  schedules: readonly { readonly run: unknown; readonly next_time?: string }[],
): ReadonlyMap<string, string> {
  const times = schedules.flatMap(({ run, next_time: time }) =>
    time === undefined ? [] : [[targetText(run), time] as const],
  );
  return new Map(times.sort(([, one], [, other]) => other.localeCompare(one)));
}
