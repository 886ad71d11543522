import { useQuery } from "@tanstack/react-query";
import { wholeStepQuery } from "#/actions/whole_run.ts";
import { result } from "#/api/client.ts";
import type { Run, Step } from "#/api/types.ts";
import { OnlyStep } from "#/pages/run/only_step.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { isEnded } from "#/parts/state_badge.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly run: Run;
  readonly step: Step | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (key: string | undefined) => void;
}

/** What went into a run or the selected step, and what came out of it. */
export function DataTab({ run, step, selected, onSelect }: Props) {
  return selected === undefined ? (
    <DataOfRun run={run} />
  ) : (
    <div className="space-y-4">
      <OnlyStep stepKey={selected} onClear={() => onSelect(undefined)} />
      {step === undefined ? (
        <p className="text-sm text-muted">{words.run.noStepData}</p>
      ) : (
        <DataOfStep run={run} step={step} />
      )}
    </div>
  );
}

function DataOfStep({ run, step }: { run: Run; step: Step }) {
  const workspace = useWorkspace();
  const whole = useQuery(wholeStepQuery(workspace, run.id, step));
  if (whole.isPending) {
    return <Loading />;
  }
  if (whole.data === undefined) {
    return <ProblemView error={whole.error} onRetry={() => void whole.refetch()} />;
  }
  const { input, result: output, error } = whole.data ?? {};
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {input != null && (
        <Section title={words.run.input}>
          <JsonView value={input} label={words.run.input} />
        </Section>
      )}
      <Section title={error === undefined ? words.timeline.result : words.states.failed}>
        {error !== undefined ? (
          <JsonView value={error} label={words.states.failed} />
        ) : output === undefined ? (
          <p className="text-sm text-muted">{words.run.noResult}</p>
        ) : (
          <JsonView value={output} label={words.timeline.result} />
        )}
      </Section>
    </div>
  );
}

function DataOfRun({ run }: { run: Run }) {
  const workspace = useWorkspace();
  const whole = useQuery({
    queryKey: [workspace.name, "runs", run.id, "data", run.state],
    queryFn: () => result(workspace.api.GET("/runs/{id}", { params: { path: { id: run.id } } })),
  });
  if (whole.isPending) {
    return <Loading />;
  }
  if (whole.data === undefined) {
    return <ProblemView error={whole.error} onRetry={() => void whole.refetch()} />;
  }
  const { input, output, env } = whole.data;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Section title={words.run.input}>
        <JsonView value={input ?? {}} label={words.run.input} />
      </Section>
      <Section title={words.run.output}>
        {output === undefined ? (
          <p className="text-sm text-muted">{isEnded(run.state) ? words.run.noOutput : words.run.noOutputYet}</p>
        ) : (
          <JsonView value={output} label={words.run.output} />
        )}
      </Section>
      {env !== undefined && (
        <Section title={words.run.environment}>
          <JsonView value={env} label={words.run.environment} />
        </Section>
      )}
    </div>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="min-w-0 space-y-2">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}
