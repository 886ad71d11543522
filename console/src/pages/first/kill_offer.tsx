import type { Run } from "#/api/types.ts";
import { FormButton } from "#/forms/form_button.tsx";
import { EXAMPLE_FLOW } from "#/pages/first/example.ts";
import { useGoneWorkers } from "#/pages/workers/gone.ts";
import { killWorker } from "#/pages/workers/kill_action.ts";
import { useWorkers } from "#/pages/workers/queries.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { flowOf } from "#/parts/target.ts";
import { TimeText } from "#/parts/time_text.tsx";
import { useMay } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

/** While the example of newcomers runs: the offer to kill its worker, if that is one for trials. */
export function KillOffer({ run }: { run: Run }) {
  const may = useMay("owner");
  return may && flowOf(run) === EXAMPLE_FLOW && !isEnded(run.state) ? <Offer /> : null;
}

function Offer() {
  const workers = useWorkers(false);
  const worker = workers.data?.items.find(({ killable }) => killable === true);
  const gone = useGoneWorkers(workers.data?.items);
  return worker === undefined && gone.length === 0 ? null : (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 space-y-1">
        <p>{words.first.kill}</p>
        {gone.map(({ worker: { name, session_id }, goneMillis }) => (
          <p key={session_id} className="flex flex-wrap gap-x-2">
            <span className="font-medium text-failed">
              {name} – {words.workers.gone}
            </span>
            <TimeText time={new Date(goneMillis).toISOString()} />
            <span className="text-muted">{words.workers.goneHelp}</span>
          </p>
        ))}
      </div>
      {worker !== undefined && <FormButton action={killWorker(worker)} onDone={() => void workers.refetch()} />}
    </div>
  );
}
