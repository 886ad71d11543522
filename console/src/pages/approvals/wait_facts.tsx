import type { Wait } from "#/api/types.ts";
import { detailsOf } from "#/pages/approvals/wait_details.ts";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** How many have answered, who may, and until when. */
export function WaitFacts({ wait }: { wait: Wait }) {
  const { assignees } = detailsOf(wait);
  const approvers = wait.approvers ?? [];
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {(wait.required ?? 1) > 1 && (
        <span>
          {words.actions.waitProgress(wait.received ?? 0, wait.required ?? 1)}
          {approvers.length > 0 && `: ${approvers.join(", ")}`}
        </span>
      )}
      {assignees !== undefined && (
        <span>
          {words.approvals.assignees} {assignees.join(", ") || words.approvals.nobody}
        </span>
      )}
      <span>
        {words.approvals.since} <TimeText time={wait.create_time} />
      </span>
      {wait.end_time !== undefined && (
        <span className="text-waiting">
          {words.actions.timesOut} <TimeText time={wait.end_time} />
        </span>
      )}
    </p>
  );
}
