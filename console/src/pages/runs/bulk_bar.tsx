import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { result } from "#/api/client.ts";
import type { Run } from "#/api/types.ts";
import { flowsQuery } from "#/pages/definitions/queries.ts";
import { BULK_OPERATIONS, type BulkOperationName, bulkTargets } from "#/pages/runs/bulk.ts";
import type { RunFilters } from "#/pages/runs/filters.ts";
import { Button } from "#/parts/button.tsx";
import { Modal } from "#/parts/modal.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { useMay } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly filters: RunFilters;
  readonly runs: readonly Run[];
}

const PROGRESS_MILLIS = 500;

/** Offers to do something with all runs of a list, and shows how far that has come. */
export function BulkBar({ filters, runs }: Props) {
  const may = useMay("runner", "workspace");
  const [operation, setOperation] = useState<BulkOperationName>();
  const [started, setStarted] = useState<string>();
  if (!may) {
    return null;
  }
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
          {BULK_OPERATIONS.map((name) => (
            <option key={name} value={name}>
              {words.bulk.operations[name]}
            </option>
          ))}
        </select>
      </label>
      {started !== undefined && <Progress id={started} />}
      <Modal
        title={operation === undefined ? "" : words.bulk.operations[operation]}
        isOpen={operation !== undefined}
        onClose={() => setOperation(undefined)}
      >
        {operation !== undefined && (
          <Confirm
            operation={operation}
            filters={filters}
            runs={runs}
            onStarted={(id) => {
              setStarted(id);
              setOperation(undefined);
            }}
          />
        )}
      </Modal>
    </div>
  );
}

interface ConfirmProps extends Props {
  readonly operation: BulkOperationName;
  readonly onStarted: (id: string) => void;
}

function Confirm({ operation, filters, runs, onStarted }: ConfirmProps) {
  const workspace = useWorkspace();
  const flows = useQuery(flowsQuery(workspace));
  const [reason, setReason] = useState("");
  const paths = new Set((flows.data?.items ?? []).flatMap((flow) => flow.path ?? []));
  const targets = bulkTargets(operation, filters, runs, paths, Date.now());
  const starting = useMutation({
    mutationFn: () =>
      result(
        workspace.api.POST("/bulk-operations", {
          body: { operation, ...targets, ...(reason === "" ? {} : { reason }) },
        }),
      ),
    onSuccess: (bulk) => onStarted(bulk.id),
  });
  return (
    <form
      className="space-y-4 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        starting.mutate();
      }}
    >
      <p>
        {targets.run_ids === undefined ? words.bulk.matching(operation) : words.bulk.loaded(targets.run_ids.length)}
      </p>
      <label className="block space-y-1">
        <span className="font-medium">{words.actions.reason}</span>
        <input
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          className="w-full rounded-md border border-line bg-ground px-2.5 py-1.5"
        />
      </label>
      {starting.error !== null && <ProblemView error={starting.error} />}
      <div className="flex justify-end">
        <Button type="submit" kind="primary" disabled={starting.isPending || flows.isPending}>
          {words.bulk.operations[operation]}
        </Button>
      </div>
    </form>
  );
}

/** How far an operation has come, until it has ended; it can be stopped. */
function Progress({ id }: { id: string }) {
  const { name, api } = useWorkspace();
  const params = { path: { id } };
  const { data, error } = useQuery({
    queryKey: [name, "bulk-operations", id],
    queryFn: () => result(api.GET("/bulk-operations/{id}", { params })),
    refetchInterval: (query) => (query.state.data?.end_time === undefined ? PROGRESS_MILLIS : false),
  });
  const stopping = useMutation({
    mutationFn: () => result(api.POST("/bulk-operations/{id}:cancel", { params, body: {} })),
  });
  if (error !== null) {
    return <ProblemView error={error} />;
  }
  if (data === undefined) {
    return null;
  }
  const { operation, state, total, done, failed, left_out } = data;
  return (
    <div role="status" className="flex min-w-0 flex-wrap items-center gap-2">
      <progress
        className="accent-accent"
        aria-label={words.bulk.progress}
        max={Math.max(total, 1)}
        value={done + failed + left_out}
      />
      <span className="tabular-nums">{words.bulk.counts(operation, done, failed, total)}</span>
      {state === "running" && (
        <Button disabled={stopping.isPending} onClick={() => stopping.mutate()}>
          {words.bulk.stop}
        </Button>
      )}
    </div>
  );
}
