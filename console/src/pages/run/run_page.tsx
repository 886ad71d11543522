import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ActionButton } from "#/actions/action_button.tsx";
import { RUN_ACTIONS } from "#/actions/run_actions.ts";
import type { Run } from "#/api/types.ts";
import { type LiveRun, useLiveRun } from "#/live/use_run.ts";
import { KillOffer } from "#/pages/first/kill_offer.tsx";
import { DataTab } from "#/pages/run/data/data_tab.tsx";
import { HistoryTab } from "#/pages/run/history_tab.tsx";
import { LogsTab } from "#/pages/run/logs/logs_tab.tsx";
import { ShownBranches, useBranchNames } from "#/pages/run/loops/use_branch_names.ts";
import { useSelectedStep } from "#/pages/run/loops/use_selected_step.ts";
import { RunErrors } from "#/pages/run/run_errors.tsx";
import { type RunTab, TABS } from "#/pages/run/run_search.ts";
import { RunTrigger } from "#/pages/run/run_trigger.tsx";
import { StepPanel } from "#/pages/run/step_panel.tsx";
import { firstAttempt } from "#/pages/run/timeline/attempts.ts";
import { TimelineTab } from "#/pages/run/timeline/timeline_tab.tsx";
import { retriedJobs, useAttempts } from "#/pages/run/timeline/use_attempts.ts";
import { WaitPanel } from "#/pages/run/wait_panel.tsx";
import { CopyButton } from "#/parts/copy_button.tsx";
import { queuedMillis, runStart } from "#/parts/own_times.ts";
import { Page } from "#/parts/page.tsx";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { isEnded, StateBadge, shownState } from "#/parts/state_badge.tsx";
import { flowOf, scriptOf } from "#/parts/target.ts";
import { durationText, millisOf } from "#/parts/time.ts";
import { DurationText, TimeText } from "#/parts/time_text.tsx";
import { useCurrentInView } from "#/parts/use_current_in_view.ts";
import { lazyPart } from "#/shell/lazy_part.tsx";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const TraceTab = lazyPart(() => import("#/pages/run/trace/trace_tab.tsx").then((module) => module.TraceTab));
const GraphTab = lazyPart(() => import("#/pages/run/graph/graph_tab.tsx").then((module) => module.GraphTab));

/** The page of a run: what happens in it, why it failed, and what can be done. */
export function RunPage() {
  const { id } = useParams({ from: "/runs/$id" });
  const workspace = useWorkspace();
  const [round, setRound] = useState(0);
  const url = `${workspace.url}/runs/${encodeURIComponent(id)}`;
  const live = useLiveRun(`${url}/events?fold_loops=true`, round);
  const { run } = live;
  const failure = live.problem ?? live.failure;
  if (failure !== undefined && run === undefined) {
    return (
      <Page title={id}>
        <ProblemView error={failure} onRetry={() => setRound((before) => before + 1)} />
      </Page>
    );
  }
  if (run === undefined || run.id !== id) {
    return <Loading />;
  }
  return (
    <Shown live={live} run={run} url={url} workspace={workspace} onDone={() => setRound((before) => before + 1)} />
  );
}

interface ShownProps {
  readonly live: LiveRun;
  readonly run: Run;
  readonly url: string;
  readonly workspace: CurrentWorkspace;
  readonly onDone: () => void;
}

function Shown({ live, run, url, workspace, onDone }: ShownProps) {
  const { tab = "timeline", step: selected, line } = useSearch({ from: "/runs/$id" });
  const navigate = useNavigate({ from: "/runs/$id" });
  const step = useSelectedStep(workspace, run, live.steps, selected);
  const subject = { workspace: workspace.name, api: workspace.api, run, step, steps: live.steps };
  // What is selected changes the address. The router must not take that for another page, and scroll back.
  const show = { replace: true, resetScroll: false } as const;
  const select = (key: string | undefined) =>
    void navigate({ search: ({ step: _, ...rest }) => (key ? { ...rest, step: key } : rest), ...show });
  const branches = useBranchNames(run, live.steps);
  const isBeside = selected !== undefined && (tab === "timeline" || tab === "graph");
  const content = {
    timeline: () => (
      <TimelineTab run={run} steps={live.steps} branches={branches} selected={selected} onSelect={select} />
    ),
    graph: () => <GraphTab run={run} steps={live.steps} selected={selected} onSelect={select} />,
    logs: () => (
      <LogsTab
        runId={run.id}
        url={`${url}/logs`}
        isRunEnded={isEnded(run.state)}
        selected={selected}
        onSelect={select}
        line={line}
        onLine={(key) =>
          void navigate({ search: ({ line: _, ...rest }) => (key ? { ...rest, line: key } : rest), ...show })
        }
      />
    ),
    data: () => <DataTab run={run} step={step} selected={selected} onSelect={select} />,
    history: () => <HistoryTab run={run} selected={selected} />,
    trace: () => <TraceTab run={run} selected={selected} onSelect={select} />,
  };
  return (
    <ShownBranches value={branches}>
      <Page
        title={run.name}
        actions={
          <div className="flex flex-wrap gap-2">
            {RUN_ACTIONS.map((action) => (
              <ActionButton key={action.id} action={action} subject={subject} onDone={onDone} />
            ))}
          </div>
        }
      >
        <Facts live={live} run={run} />
        <KillOffer run={run} />
        {live.problem !== undefined && <ProblemView error={live.problem} onRetry={onDone} />}
        <RunErrors run={run} steps={live.steps} onSelect={select} />
        {!isEnded(run.state) && <WaitPanel subject={subject} onDone={onDone} />}
        <Tabs tab={tab} />
        <div className={isBeside ? "grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(22rem,36%)]" : ""}>
          <section
            aria-label={words.run.tabs[tab]}
            className={`min-w-0 ${tab === "timeline" || tab === "graph" ? BOX : ""}`}
          >
            {content[tab]()}
          </section>
          {isBeside && (
            <StepPanel
              stepKey={selected}
              subject={subject}
              onSelect={select}
              onClose={() => select(undefined)}
              onDone={onDone}
            />
          )}
        </div>
      </Page>
    </ShownBranches>
  );
}

const BOX = "overflow-hidden rounded-lg border border-line bg-surface";

/** How long a run was queued; undefined if attempts began before the one from which it counts, or if it has not begun. */
function useQueued(run: Run, steps: LiveRun["steps"]): number | undefined {
  const retried = useMemo(() => retriedJobs(run, steps), [run, steps]);
  const first = firstAttempt(useAttempts(run, retried));
  const start = millisOf(runStart(run, steps.values()));
  return first !== undefined && start !== undefined && first < start ? undefined : queuedMillis(run, steps.values());
}

function Facts({ live, run }: { live: LiveRun; run: Run }) {
  const flow = flowOf(run);
  const script = scriptOf(run);
  const queued = useQueued(run, live.steps);
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
      <StateBadge state={shownState(run)} />
      <span className="inline-flex min-w-0 items-center font-mono text-xs text-muted">
        <span className="truncate">{run.id}</span>
        <CopyButton text={run.id} />
      </span>
      <Fact name={words.run.accepted}>
        <TimeText time={run.create_time} />
      </Fact>
      <Fact name={words.run.duration}>
        <DurationText from={runStart(run, live.steps.values())} to={run.end_time} />
        {queued !== undefined && queued > 0 && (
          <span className="text-muted">{words.run.queuedTime(durationText(queued))}</span>
        )}
      </Fact>
      {flow !== undefined && (
        <Link
          to="/flows/$"
          params={{ _splat: flow }}
          search={run.target.flow_hash === undefined ? {} : { hash: run.target.flow_hash }}
          className="text-accent hover:underline"
        >
          {words.run.flow}
        </Link>
      )}
      {script !== undefined && (
        <Link
          to="/scripts/$"
          params={{ _splat: script }}
          search={run.target.script_hash === undefined ? {} : { hash: run.target.script_hash }}
          className="text-accent hover:underline"
        >
          {words.run.script}
        </Link>
      )}
      {run.started_by !== undefined && <Fact name={words.run.startedBy}>{run.started_by}</Fact>}
      {run.trigger !== undefined && (
        <Fact name={words.run.trigger(run.trigger.kind)}>
          <RunTrigger trigger={run.trigger} />
        </Fact>
      )}
      {run.origin?.run_id !== undefined && (
        <Fact name={words.run.origin(run.origin.relation ?? "")}>
          <Link
            to="/runs/$id"
            params={{ id: run.origin.run_id }}
            className="font-mono text-xs text-accent hover:underline"
          >
            {run.origin.run_id}
          </Link>
          {(run.origin.relation === "restart" || run.origin.relation === "rerun") && (
            <Link
              to="/runs/$id/compare/$other"
              params={{ id: run.id, other: run.origin.run_id }}
              className="text-accent hover:underline"
            >
              {words.compare.link}
            </Link>
          )}
        </Fact>
      )}
      {!isEnded(run.state) && (
        <span role="status" className={`text-xs ${live.connection === "lost" ? "text-failed" : "text-muted"}`}>
          {live.connection === "lost"
            ? words.common.lost
            : live.connection === "connecting"
              ? words.common.connecting
              : words.common.live}
        </span>
      )}
      {run.paused === true && !isEnded(run.state) && <p className="w-full text-waiting">{words.run.paused}</p>}
      {run.from_cache === true && <p className="w-full text-muted">{words.run.fromCache}</p>}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <span className="inline-flex min-w-0 items-baseline gap-1.5">
      <span className="text-muted">{name}</span>
      {children}
    </span>
  );
}

function Tabs({ tab }: { tab: RunTab }) {
  const row = useCurrentInView(tab);
  return (
    <nav ref={row} className="flex gap-1 overflow-x-auto border-b border-line" aria-label={words.shell.menu}>
      {TABS.map((name) => (
        <Link
          key={name}
          from="/runs/$id"
          to="/runs/$id"
          search={(before) => ({ ...before, tab: name })}
          replace
          resetScroll={false}
          aria-current={name === tab ? "page" : undefined}
          className={`-mb-px border-b-2 px-3 py-2 text-sm whitespace-nowrap -outline-offset-2 ${
            name === tab ? "border-accent font-semibold" : "border-transparent text-muted hover:text-text"
          }`}
        >
          {words.run.tabs[name]}
        </Link>
      ))}
    </nav>
  );
}
