package dev.millrace.bench.report;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.report.BarChart.Bar;
import dev.millrace.bench.report.BarChart.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plots of one run of the benchmarks, as SVG by name. */
final class Plots {
    /** Longest bar, so that one figure far beyond its target does not flatten the others. */
    private static final double SHARE_MAX = 3;

    private static final String CPU_SUFFIX = "_cpu_seconds_per_1000_steps";
    private static final double MILLIS_PER_SECOND = 1e3;

    private record Line(String workload, String figure, String label, String color) {}

    private static final List<Line> THROUGHPUT = List.of(
            new Line(
                    "pg-ceiling",
                    "fused_batches_of_200_steps_per_second",
                    "raw Postgres, fused, batches of 200",
                    BarChart.CEILING),
            new Line(
                    "pg-ceiling", "batches_of_100_cycles_per_second", "raw Postgres, batches of 100", BarChart.CEILING),
            new Line("pg-ceiling", "row_by_row_cycles_per_second", "raw Postgres, row by row", BarChart.CEILING),
            new Line("steps", "steps_per_second_median", "Millrace: steps (Python)", BarChart.OURS),
            new Line("loop100k", "items_per_second", "Millrace: loop100k (Python)", BarChart.OURS),
            new Line("burn", "jobs_per_second", "Millrace: burn", BarChart.OURS),
            new Line("burn", "graphile_worker_tuned_jobs_per_second", "graphile-worker tuned: burn", BarChart.OTHERS),
            new Line(
                    "burn",
                    "graphile_worker_default_jobs_per_second",
                    "graphile-worker default: burn",
                    BarChart.OTHERS),
            new Line("burn", "db_scheduler_jobs_per_second", "db-scheduler: burn", BarChart.OTHERS),
            new Line("burn", "jobrunr_jobs_per_second", "JobRunr: burn", BarChart.OTHERS));

    private static final List<Line> LATENCY = List.of(
            new Line("latency", "submit_to_start_p50_ms", "Millrace: submit to user code, p50", BarChart.OURS),
            new Line("latency", "submit_to_start_p99_ms", "Millrace: submit to user code, p99", BarChart.OURS),
            new Line(
                    "latency", "graphile_worker_default_start_p50_ms", "graphile-worker default: p50", BarChart.OTHERS),
            new Line(
                    "latency", "graphile_worker_default_start_p99_ms", "graphile-worker default: p99", BarChart.OTHERS),
            new Line("latency", "graphile_worker_tuned_start_p50_ms", "graphile-worker tuned: p50", BarChart.OTHERS),
            new Line("latency", "graphile_worker_tuned_start_p99_ms", "graphile-worker tuned: p99", BarChart.OTHERS),
            new Line("seq40", "submit_to_result_median_ms", "Millrace: seq40", BarChart.OURS),
            new Line("fanout400", "submit_to_result_median_ms", "Millrace: fanout400", BarChart.OURS),
            new Line("cold", "python_submit_to_result_median_ms", "Millrace: cold Python", BarChart.OURS),
            new Line("cold", "deno_submit_to_result_median_ms", "Millrace: cold Deno", BarChart.OURS));

    private Plots() {}

    static Map<String, String> of(List<Figures> measured) {
        var plots = new LinkedHashMap<String, String>();
        plots.put("targets", targets(measured));
        plots.put("throughput", lines("Jobs and steps a second (more is better)", "/s", THROUGHPUT, measured));
        plots.put("latency", lines("Milliseconds (less is better)", " ms", LATENCY, measured));
        plots.put("cpu", cpu(measured));
        return plots;
    }

    /** Each figure relative to its target: 1 just reaches it, 2 is twice as good. */
    private static String targets(List<Figures> measured) {
        var bars = new ArrayList<Bar>();
        for (Target target : Target.ALL) {
            target.measured(measured).ifPresent(value -> {
                if (target.must() > 0) {
                    double share =
                            target.lowerIsBetter() ? target.must() / Math.max(value, 1e-9) : value / target.must();
                    bars.add(new Bar(
                            target.workload() + ": " + target.label(),
                            Math.min(share, SHARE_MAX),
                            ResultTable.number(value) + " " + target.unit(),
                            share >= 1 ? BarChart.OURS : BarChart.SHORT));
                }
            });
        }
        return new BarChart("Compared with the target (1 = must; longer is better)", bars, List.of(new Mark("must", 1)))
                .svg();
    }

    private static String lines(String title, String unit, List<Line> lines, List<Figures> measured) {
        var bars = new ArrayList<Bar>();
        for (Line line : lines) {
            measured.stream()
                    .filter(figures -> figures.workload().equals(line.workload()))
                    .flatMap(figures -> figures.find(line.figure()).stream().boxed())
                    .forEach(value ->
                            bars.add(new Bar(line.label(), value, ResultTable.number(value) + unit, line.color())));
        }
        return new BarChart(title, bars, List.of()).svg();
    }

    private static String cpu(List<Figures> measured) {
        var bars = new ArrayList<Bar>();
        for (Figures figures : measured) {
            if (figures.workload().equals("steps") || figures.workload().equals("burn")) {
                figures.values().keySet().stream()
                        .filter(name -> name.endsWith(CPU_SUFFIX))
                        .forEach(name -> {
                            double millis = figures.find(name).orElse(0) * MILLIS_PER_SECOND;
                            String process = name.substring(0, name.length() - CPU_SUFFIX.length());
                            bars.add(new Bar(
                                    figures.workload() + ": " + process,
                                    millis,
                                    ResultTable.number(millis) + " ms",
                                    BarChart.OURS));
                        });
            }
        }
        return new BarChart("CPU for 1,000 steps", bars, List.of()).svg();
    }
}
