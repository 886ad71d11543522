import { useQuery } from "@tanstack/react-query";
import { result, shared } from "#/api/client.ts";
import type { RetentionStatus } from "#/api/types.ts";
import { bytesText, countText } from "#/parts/amounts.ts";
import { Loaded } from "#/parts/loaded.tsx";
import { Rows, Section, Tag } from "#/parts/rows.tsx";
import { durationText } from "#/parts/time.ts";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

const { settings } = words;
const REFRESH_MILLIS = 30_000;

/** What the database keeps, for how long, and how much of it there is. */
export function Storage() {
  const status = useQuery({
    queryKey: ["settings", "storage"],
    queryFn: () => result(shared.GET("/api/v1/server/status")),
    refetchInterval: REFRESH_MILLIS,
  });
  return (
    <Section title={settings.sections.storage}>
      <p className="max-w-3xl text-sm text-muted">{settings.storageHelp}</p>
      <Loaded query={status}>
        {({ retention = [] }) => (
          <>
            <p className="text-sm">
              {settings.totalSize}{" "}
              <strong>{bytesText(retention.reduce((sum, { bytes = 0 }) => sum + bytes, 0))}</strong>
            </p>
            <Rows label={settings.sections.storage}>
              {[...retention]
                .sort((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0))
                .map((table) => (
                  <TableRow key={table.table} table={table} />
                ))}
            </Rows>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function TableRow({ table }: { table: RetentionStatus }) {
  const seconds = Number.parseFloat(table.age ?? "0");
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 text-sm last:border-b-0 lg:grid lg:grid-cols-[11rem_1fr_5.5rem_6.5rem_8rem_14rem]">
      <code className="font-mono text-xs font-semibold break-all">{table.table}</code>
      <span className="min-w-0 flex-1 basis-56 text-muted">{table.holds}</span>
      <span className="tabular-nums lg:text-right">{bytesText(table.bytes ?? 0)}</span>
      <span className="text-muted tabular-nums lg:text-right">
        {settings.rows(countText(table.rows_estimate ?? 0))}
      </span>
      <span title={table.setting}>{seconds > 0 && <Tag>{settings.keptFor(durationText(seconds * 1_000))}</Tag>}</span>
      {table.sweep_time !== undefined && (
        <span className="text-muted">
          {settings.swept(table.removed_rows ?? 0)} <TimeText time={table.sweep_time} />
        </span>
      )}
      {table.error ? <span className="w-full break-words text-failed lg:col-span-6">{table.error}</span> : null}
    </li>
  );
}
