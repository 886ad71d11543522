import { useQuery } from "@tanstack/react-query";
import type { Run } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { EXAMPLE_FLOW } from "#/pages/first/example.ts";
import { killWorker } from "#/pages/workers/kill_action.ts";
import { workersQuery } from "#/pages/workers/queries.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { flowOf } from "#/parts/target.ts";
import { useMay } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

/** While the example of newcomers runs: the offer to kill its worker, if that is one for trials. */
export function KillOffer({ run }: { run: Run }) {
  const may = useMay("owner");
  return may && flowOf(run) === EXAMPLE_FLOW && !isEnded(run.state) ? <Offer /> : null;
}

function Offer() {
  const workers = useQuery(workersQuery(false));
  const worker = workers.data?.items.find(({ killable }) => killable === true);
  return worker === undefined ? null : (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <p className="min-w-0 flex-1">{words.first.kill}</p>
      <FormButton action={killWorker(worker)} onDone={() => void workers.refetch()} />
    </div>
  );
}
