import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { JobError, Run, Step } from "#/api/types.ts";
import { foldedLoops } from "#/live/folded.ts";
import { shownMessage } from "#/pages/definitions/branch_names.ts";
import { failedSteps } from "#/pages/run/failed_steps.ts";
import { stateQuery } from "#/pages/run/loops/loop_queries.ts";
import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { CopyButton } from "#/parts/copy_button.tsx";
import { Icon } from "#/parts/icon.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const FAILED_SHOWN_MAX = 5;

interface Props {
  readonly run: Run;
  readonly steps: ReadonlyMap<string, Step>;
  readonly onSelect: (key: string) => void;
}

/** Why a run failed, before all else and in full. */
export function RunErrors({ run, steps, onSelect }: Props) {
  const failed = useMemo(() => failedSteps(steps.values()), [steps]);
  const loops = useMemo(() => foldedLoops(steps).filter(({ iterations }) => (iterations?.failed ?? 0) > 0), [steps]);
  const isFailed = run.state === "failed" || run.state === "canceled";
  if (!isFailed && failed.length === 0 && loops.length === 0) {
    return null;
  }
  return (
    <div className="space-y-2">
      {run.error !== undefined && <ErrorBox error={run.error} />}
      {failed.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-failed">{words.run.failedSteps(failed.length)}</span>
          {failed.slice(0, FAILED_SHOWN_MAX).map((step) => (
            <StepButton key={step.key} stepKey={step.key} onSelect={onSelect} />
          ))}
          {failed.length > FAILED_SHOWN_MAX && "…"}
        </p>
      )}
      {loops.slice(0, FAILED_SHOWN_MAX).map((loop) => (
        <FailedIterations key={loop.key} run={run} loop={loop} onSelect={onSelect} />
      ))}
    </div>
  );
}

interface FailedIterationsProps {
  readonly run: Run;
  readonly loop: Step;
  readonly onSelect: (key: string) => void;
}

/** The first iterations of a large loop that have failed. */
function FailedIterations({ run, loop, onSelect }: FailedIterationsProps) {
  const workspace = useWorkspace();
  const { data } = useQuery(stateQuery(workspace, run, loop.key, "failed", FAILED_SHOWN_MAX));
  const count = loop.iterations?.failed ?? 0;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-failed">{words.loops.failedIterations(loop.key, count)}</span>
      {data?.items.map(({ key }) => (
        <StepButton key={key} stepKey={key} onSelect={onSelect} />
      ))}
      {count > FAILED_SHOWN_MAX && "…"}
    </p>
  );
}

interface StepButtonProps {
  readonly stepKey: string;
  readonly onSelect: (key: string) => void;
}

function StepButton({ stepKey, onSelect }: StepButtonProps) {
  const shownKey = useShownKey();
  return (
    <button
      type="button"
      onClick={() => onSelect(stepKey)}
      className="max-w-full truncate rounded border border-line bg-surface px-2 py-0.5 font-mono text-xs hover:bg-raised"
    >
      {shownKey(stepKey)}
    </button>
  );
}

/** An error of a job with its whole message; the stack can be folded. */
export function ErrorBox({ error }: { error: JobError }) {
  const shownKey = useShownKey();
  return (
    <div className="rounded-lg border border-failed/40 bg-failed-soft p-3 text-sm">
      <div className="flex items-start gap-2">
        <Icon name="failed" className="mt-0.5 text-failed" />
        <p className="min-w-0 flex-1 break-words whitespace-pre-wrap">
          {error.name !== undefined && error.name !== "" && <strong className="text-failed">{error.name}: </strong>}
          {shownMessage(error.message ?? "", shownKey)}
        </p>
        <CopyButton text={[error.name, error.message, error.stack].filter(Boolean).join("\n")} />
      </div>
      {error.stack !== undefined && error.stack !== "" && (
        <details className="mt-2 pl-6" open>
          <summary className="text-xs text-muted">{words.run.stack}</summary>
          <pre tabIndex={0} className="mt-1 max-h-72 overflow-auto font-mono text-xs whitespace-pre-wrap">
            {error.stack}
          </pre>
        </details>
      )}
    </div>
  );
}
