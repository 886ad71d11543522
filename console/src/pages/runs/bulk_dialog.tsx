import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "#/forms/form_button.tsx";
import { flowsQuery } from "#/pages/definitions/queries.ts";
import { type BulkOperationName, bulkFilter } from "#/pages/runs/bulk.ts";
import { bulkAction } from "#/pages/runs/bulk_action.ts";
import type { RunFilters } from "#/pages/runs/filters.ts";
import { Modal } from "#/parts/modal.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly filters: RunFilters;
  readonly operation: BulkOperationName;
  readonly onStarted: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks whether to do something with all runs of a list. */
export function BulkDialog({ operation, filters, onStarted, onClose }: Props) {
  const workspace = useWorkspace();
  const flows = useQuery(flowsQuery(workspace));
  // What the dialog says must not change while somebody reads it.
  const [now] = useState(Date.now);
  if (flows.isPending) {
    return null;
  }
  const hashes = new Map((flows.data?.items ?? []).map(({ path = "", hash }) => [path, hash]));
  const deployed = filters.name === undefined ? undefined : hashes.get(filters.name);
  return (
    <Modal title={words.bulk.operations[operation]} isOpen onClose={onClose}>
      <FormDialog
        action={bulkAction(workspace, operation, bulkFilter(operation, filters, now), deployed, onStarted)}
        onDone={() => undefined}
        onClose={onClose}
      />
    </Modal>
  );
}
