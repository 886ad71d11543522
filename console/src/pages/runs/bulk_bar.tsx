import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BulkOperation, Run } from "#/api/types.ts";
import { FormDialog } from "#/forms/form_button.tsx";
import { flowsQuery } from "#/pages/definitions/queries.ts";
import { BULK_OPERATIONS, type BulkOperationName, bulkTargets } from "#/pages/runs/bulk.ts";
import { bulkAction } from "#/pages/runs/bulk_action.ts";
import { BulkProgress } from "#/pages/runs/bulk_progress.tsx";
import { newestBulkQuery } from "#/pages/runs/bulk_queries.ts";
import type { RunFilters } from "#/pages/runs/filters.ts";
import { Modal } from "#/parts/modal.tsx";
import { Loading } from "#/parts/problem_view.tsx";
import { useMay } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly filters: RunFilters;
  readonly runs: readonly Run[];
}

/** How long an operation that has ended is still shown. */
const RECENT_MILLIS = 600_000;

/** Offers to do something with all runs of a list, and shows how far that has come. */
export function BulkBar({ filters, runs }: Props) {
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
      <Modal
        title={operation === undefined ? "" : words.bulk.operations[operation]}
        isOpen={operation !== undefined}
        onClose={close}
      >
        {operation !== undefined && (
          <Confirm operation={operation} filters={filters} runs={runs} onStarted={setStarted} onClose={close} />
        )}
      </Modal>
    </div>
  );
}

function isRecent(bulk: BulkOperation | undefined, now: number): boolean {
  return bulk !== undefined && (bulk.end_time === undefined || Date.parse(bulk.end_time) > now - RECENT_MILLIS);
}

interface ConfirmProps extends Props {
  readonly operation: BulkOperationName;
  readonly onStarted: (id: string) => void;
  readonly onClose: () => void;
}

function Confirm({ operation, filters, runs, onStarted, onClose }: ConfirmProps) {
  const workspace = useWorkspace();
  const flows = useQuery(flowsQuery(workspace));
  // What the dialog says must not change while somebody reads it.
  const [now] = useState(Date.now);
  const [loaded] = useState(runs);
  if (flows.isPending) {
    return <Loading />;
  }
  const hashes = new Map((flows.data?.items ?? []).map(({ path = "", hash }) => [path, hash]));
  const targets = bulkTargets(operation, filters, loaded, new Set(hashes.keys()), now);
  const names = new Set(targets.run_ids === undefined ? [filters.name] : loaded.map((run) => run.name));
  const deployed = names.size === 1 ? hashes.get([...names][0] ?? "") : undefined;
  return (
    <FormDialog
      action={bulkAction(workspace, operation, targets, deployed, onStarted)}
      onDone={() => undefined}
      onClose={onClose}
    />
  );
}
