import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import type { Subject } from "#/actions/action.ts";
import { ActionButton } from "#/actions/action_button.tsx";
import { STEP_ACTIONS } from "#/actions/run_actions.ts";
import { NO_STEP, wholeStepQuery } from "#/actions/whole_run.ts";
import type { Run, Step } from "#/api/types.ts";
import { insideQuery } from "#/pages/run/loops/loop_queries.ts";
import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { ErrorBox } from "#/pages/run/run_errors.tsx";
import { AttemptList } from "#/pages/run/timeline/attempt_list.tsx";
import { useAttempts } from "#/pages/run/timeline/use_attempts.ts";
import { Icon } from "#/parts/icon.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { isReused, stepStart } from "#/parts/own_times.ts";
import { STATE_CLASSES, StateBadge } from "#/parts/state_badge.tsx";
import { DurationText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

interface Props {
  readonly stepKey: string;
  readonly subject: Subject;
  readonly onSelect: (key: string) => void;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** What is known of the step that is selected. */
export function StepPanel({ stepKey, subject, onSelect, onClose, onDone }: Props) {
  const { run, step } = subject;
  const shownKey = useShownKey();
  const whole = useWholeStep(subject);
  const panel = useRef<HTMLElement>(null);
  // Whoever selects a step wants to see it: on a narrow page, the panel may lie below what is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is another wish
  useEffect(() => {
    // The result is no clean-up: newer browsers return a promise.
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [stepKey]);
  return (
    <section
      ref={panel}
      aria-label={`${words.timeline.selected} ${shownKey(stepKey)}`}
      className="scroll-m-4 space-y-3 rounded-lg border border-line bg-surface p-4 lg:sticky lg:top-6 lg:max-h-[calc(100vh-3rem)] lg:overflow-y-auto"
    >
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <h2 className="min-w-0 font-mono font-semibold break-all">{shownKey(stepKey)}</h2>
        {step !== undefined && (
          <>
            <StateBadge state={step.state} />
            <span className="text-muted">{step.kind}</span>
            <DurationText from={stepStart(step, run)} to={step.end_time} />
            {isReused(step, run) && <span className="text-muted">{words.compare.reused}</span>}
            {step.attempt > 1 && <span className="text-waiting">{words.timeline.attempt(step.attempt)}</span>}
            {step.worker ? <span className="text-muted">{words.timeline.worker(step.worker)}</span> : null}
            {step.child_run_id ? (
              <Link
                to="/runs/$id"
                params={{ id: step.child_run_id }}
                className="font-mono text-xs text-accent hover:underline"
              >
                {step.child_run_id}
              </Link>
            ) : null}
          </>
        )}
        <span className="ml-auto flex flex-wrap gap-2">
          <Link
            from="/runs/$id"
            to="/runs/$id"
            search={(before) => ({ ...before, tab: "logs" as const })}
            className="inline-flex min-h-8 items-center rounded-md border border-line px-3 text-sm font-medium hover:bg-raised"
          >
            {words.run.tabs.logs}
          </Link>
          {STEP_ACTIONS.map((action) => (
            <ActionButton key={action.id} action={action} subject={subject} onDone={onDone} />
          ))}
          <button
            type="button"
            aria-label={words.common.close}
            onClick={onClose}
            className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-raised"
          >
            <Icon name="close" />
          </button>
        </span>
      </div>
      {step === undefined && stepKey.endsWith("]") && (
        <StepsInside subject={subject} iteration={stepKey} onSelect={onSelect} />
      )}
      {step?.error !== undefined && <ErrorBox error={step.error} />}
      {step !== undefined && step.attempt > 1 && <AttemptsOfStep run={run} step={step} />}
      {whole != null && (
        <div className="grid gap-3 md:max-lg:grid-cols-2">
          {whole.input !== undefined && whole.input !== null && <Value title={words.run.input} value={whole.input} />}
          {whole.result !== undefined && <Value title={words.timeline.result} value={whole.result} />}
        </div>
      )}
    </section>
  );
}

function AttemptsOfStep({ run, step }: { run: Run; step: Step }) {
  const retried = useMemo(() => new Map([[step.job_id, step.attempt]]), [step.job_id, step.attempt]);
  return <AttemptList attempts={useAttempts(run, retried).get(step.job_id) ?? []} />;
}

/** The steps of an iteration that has several. */
function StepsInside(props: { subject: Subject; iteration: string; onSelect: (key: string) => void }) {
  const { subject, iteration, onSelect } = props;
  const { data } = useQuery(insideQuery({ name: subject.workspace, api: subject.api }, subject.run, iteration));
  return (
    <ul aria-label={words.loops.inside} className="flex flex-wrap gap-2">
      {data?.map((step) => (
        <li key={step.key}>
          <button
            type="button"
            onClick={() => onSelect(step.key)}
            className="inline-flex items-center gap-1.5 rounded border border-line px-2 py-0.5 font-mono text-xs hover:bg-raised"
          >
            <Icon name={step.state} className={`size-3.5 ${STATE_CLASSES[step.state].text}`} />
            <span className="sr-only">{words.states[step.state]}</span>
            {step.key.slice(iteration.length + 1) || step.key}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The step with its input and result, once they are there. */
function useWholeStep({ workspace, api, run, step }: Subject) {
  return useQuery({
    ...wholeStepQuery({ name: workspace, api }, run.id, step ?? NO_STEP),
    enabled: step !== undefined && step.key !== "",
    placeholderData: (before: Step | null | undefined) => (before?.key === step?.key ? before : undefined),
  }).data;
}

function Value({ title, value }: { title: string; value: unknown }) {
  return (
    <div className="min-w-0 space-y-1">
      <h3 className="text-xs font-semibold text-muted">{title}</h3>
      <JsonView value={value} label={title} />
    </div>
  );
}
