import { useQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { Run } from "#/api/types.ts";
import { JsonView } from "#/parts/json_view.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { isEnded } from "#/parts/state_badge.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** What went into a run, and what came out of it. */
export function DataTab({ run }: { run: Run }) {
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
