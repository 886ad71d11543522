import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BulkOperation } from "#/api/types.ts";
import { BULK_OPERATIONS, type BulkOperationName } from "#/pages/runs/bulk.ts";
import { BulkProgress } from "#/pages/runs/bulk_progress.tsx";
import { newestBulkQuery } from "#/pages/runs/bulk_queries.ts";
import type { RunFilters } from "#/pages/runs/filters.ts";
import { lazyPart } from "#/shell/lazy_part.tsx";
import { useMay } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const BulkDialog = lazyPart(() => import("#/pages/runs/bulk_dialog.tsx").then((module) => module.BulkDialog));

interface Props {
  readonly filters: RunFilters;
}

/** How long an operation that has ended is still shown. */
const RECENT_MILLIS = 600_000;

/** Offers to do something with all runs of a list, and shows how far that has come. */
export function BulkBar({ filters }: Props) {
  const may = useMay("runner", "workspace");
  const mayRerun = useMay("developer", "workspace");
  const [operation, setOperation] = useState<BulkOperationName>();
  const [started, setStarted] = useState<string>();
  const [opened] = useState(Date.now);
  const newest = useQuery({ ...newestBulkQuery(useWorkspace()), enabled: may });
  if (!may) {
    return null;
  }
  const close = () => setOperation(undefined);
  // Whoever comes back to the page sees what goes on, or has just ended.
  const last = newest.data ?? undefined;
  const shown = started ?? (isRecent(last, opened) ? last?.id : undefined);
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <label className="flex items-center gap-2">
        <span className="text-muted">{words.bulk.all}</span>
        <select
          value=""
          onChange={(event) => setOperation(event.target.value as BulkOperationName)}
          className="min-h-8 rounded-md border border-line bg-surface px-2"
        >
          <option value="" disabled>
            {words.bulk.choose}
          </option>
          {BULK_OPERATIONS.filter((name) => name !== "rerun" || mayRerun).map((name) => (
            <option key={name} value={name}>
              {words.bulk.operations[name]}
            </option>
          ))}
        </select>
      </label>
      {shown !== undefined && <BulkProgress key={shown} id={shown} />}
      {operation !== undefined && (
        <BulkDialog operation={operation} filters={filters} onStarted={setStarted} onClose={close} />
      )}
    </div>
  );
}

function isRecent(bulk: BulkOperation | undefined, now: number): boolean {
  return bulk !== undefined && (bulk.end_time === undefined || Date.parse(bulk.end_time) > now - RECENT_MILLIS);
}
