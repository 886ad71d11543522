import { useQuery } from "@tanstack/react-query";
import { type Bar, durationMillis, endedIn, sums } from "#/pages/home/activity_bars.ts";
import { ActivityChart } from "#/pages/home/activity_chart.tsx";
import { activityQuery } from "#/pages/home/activity_query.ts";
import { countText } from "#/parts/amounts.ts";
import { durationText } from "#/parts/time.ts";
import { useMay } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** The share of the runs that ended in a minute and failed, in percent: their number is in the chart of all runs. */
function failedPercent(minute: Parameters<typeof endedIn>[0]): number {
  const ended = endedIn(minute);
  return ended === 0 ? 0 : (minute.runs_failed / ended) * 100;
}

/** What the workspace did in the last hour: runs that ended, failures, and how long jobs waited. Nothing if it may not be seen. */
export function ActivitySection() {
  const may = useMay("viewer", "workspace");
  const { data } = useQuery({ ...activityQuery(useWorkspace()), enabled: may });
  if (data === undefined) {
    return null;
  }
  const { accepted, ended, failed, failedShare } = sums(data);
  const { minutes, waits } = data;
  const text = words.home.activity;
  const runs: Bar[] = minutes.map((minute) => ({
    time: Date.parse(minute.start_time),
    title: text.ends(minute.runs_succeeded, minute.runs_failed, minute.runs_canceled),
    parts: [
      { value: minute.runs_succeeded, className: "text-succeeded" },
      { value: minute.runs_canceled, className: "text-canceled" },
      { value: minute.runs_failed, className: "text-failed" },
    ],
  }));
  const waited: Bar[] = minutes.map((minute) => {
    const median = durationMillis(minute.waits.median);
    const most = durationMillis(minute.waits.p95);
    return {
      time: Date.parse(minute.start_time),
      title: minute.waits.jobs === 0 ? text.noJobs : text.waited(durationText(median), durationText(most)),
      parts: [
        { value: median, className: "text-running" },
        { value: most - median, className: "text-running opacity-35" },
      ],
    };
  });
  const failures: Bar[] = minutes.map((minute) => ({
    time: Date.parse(minute.start_time),
    title: text.failures(minute.runs_failed, endedIn(minute)),
    parts: [{ value: failedPercent(minute), className: "text-failed" }],
  }));
  return (
    <section aria-label={text.title} className="min-w-0 space-y-2">
      <h2 className="font-semibold">{text.title}</h2>
      <div className="grid gap-2 md:grid-cols-3">
        <ActivityChart
          title={text.throughput}
          headline={text.ended(ended)}
          detail={text.accepted(accepted)}
          bars={runs}
          top={(most) => text.aMinute(countText(most))}
        />
        <ActivityChart
          title={text.wait}
          headline={waits.jobs === 0 ? text.noJobs : durationText(durationMillis(waits.median))}
          detail={waits.jobs === 0 ? "" : text.p95(durationText(durationMillis(waits.p95)))}
          bars={waited}
          top={durationText}
        />
        <ActivityChart
          title={text.failed}
          headline={countText(failed)}
          detail={
            ended === 0 ? "" : text.share((failedShare * 100).toFixed(failedShare > 0 && failedShare < 0.1 ? 1 : 0))
          }
          bars={failures}
          top={(most) => text.atMost(Math.round(most))}
        />
      </div>
    </section>
  );
}
