package dev.millrace.bench.report;

import dev.millrace.bench.measure.Figures;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Target of a figure: what it must reach, and what it aims at.
 *
 * @param workload workload of the figure
 * @param figure name of the figure
 * @param label label for people
 * @param unit unit for people
 * @param lowerIsBetter whether lower values are better
 * @param must the worst acceptable value; 0 if only the aim counts
 * @param aim the desired value; empty if there is only a must
 */
record Target(
        String workload,
        String figure,
        String label,
        String unit,
        boolean lowerIsBetter,
        double must,
        OptionalDouble aim) {
    /** Targets for a machine with two cores that runs everything, including client and database. */
    static final List<Target> ALL = List.of(
            lower("seq40", "submit_to_result_median_ms", "submit to result, median, just started", "ms", 60, 30),
            lower("seq40", "in_use_submit_to_result_median_ms", "submit to result, median, in use", "ms", 60, 30),
            lower(
                    "expressions",
                    "sum_costs_ms",
                    "a small expression over a path, a step",
                    "ms",
                    0.15,
                    OptionalDouble.empty()),
            lower("long10", "overhead_per_step_median_ms", "overhead a step", "ms", 4, 1.2),
            lower("fanout400", "submit_to_result_median_ms", "submit to result, median", "ms", 300, 60),
            higher("steps", "steps_per_second_median", "steps, just started", "/s", 8_000, 14_000),
            higher("steps", "in_use_steps_per_second_median", "steps, in use", "/s", 8_000, 14_000),
            higher("burn", "pg_ratio", "of what Postgres can do in batches", "", 0.4, OptionalDouble.empty()),
            higher("burn", "ratio_to_graphile_worker_tuned", "of graphile-worker tuned", "", 0, OptionalDouble.of(1)),
            lower("latency", "submit_to_start_p50_ms", "submit to user code, p50", "ms", 3, 1),
            lower("latency", "submit_to_start_p99_ms", "submit to user code, p99", "ms", 15, 5),
            lower(
                    "cold",
                    "python_submit_to_result_median_ms",
                    "first job of a Python script, after a pause",
                    "ms",
                    150,
                    15),
            lower(
                    "cold",
                    "in_use_python_submit_to_result_median_ms",
                    "first job of a Python script, in use",
                    "ms",
                    150,
                    15),
            lower(
                    "cold",
                    "deno_submit_to_result_median_ms",
                    "first job of a Deno script, after a pause",
                    "ms",
                    200,
                    40),
            lower(
                    "cold",
                    "in_use_deno_submit_to_result_median_ms",
                    "first job of a Deno script, in use",
                    "ms",
                    200,
                    40),
            lower("cold", "bun_submit_to_result_median_ms", "first job of a Bun script, after a pause", "ms", 200, 40),
            lower("cold", "in_use_bun_submit_to_result_median_ms", "first job of a Bun script, in use", "ms", 200, 40),
            lower(
                    "cold-deps",
                    "python_submit_to_result_median_ms",
                    "first job of a Python script with packages",
                    "ms",
                    150,
                    15),
            lower(
                    "cancel",
                    "python_cancel_to_end_p99_ms",
                    "canceled Python script to end, p99",
                    "ms",
                    100,
                    OptionalDouble.empty()),
            lower(
                    "cancel",
                    "deno_cancel_to_end_p99_ms",
                    "canceled Deno script to end, p99",
                    "ms",
                    100,
                    OptionalDouble.empty()),
            lower(
                    "cancel",
                    "java_cancel_to_end_p99_ms",
                    "canceled Java handler to end, p99",
                    "ms",
                    100,
                    OptionalDouble.empty()),
            lower("idle", "percent_of_one_core", "CPU of everything", "% of a core", 2, 0.5),
            lower("schedules", "late_p99_ms", "1,000 schedules due at once, p99", "ms", 1_000, OptionalDouble.empty()),
            higher(
                    "growth",
                    "full_to_empty_ratio",
                    "steps with much history and a long queue, of empty",
                    "",
                    0.8,
                    OptionalDouble.of(0.95)),
            higher(
                    "two-schedulers",
                    "two_to_one_ratio",
                    "steps on two schedulers, of one",
                    "",
                    0.9,
                    OptionalDouble.empty()),
            lower("memory", "scheduler_heap_peak_mib", "scheduler heap, peak", "MiB", 512, OptionalDouble.empty()),
            lower(
                    "memory",
                    "python_over_bare_mib",
                    "warm Python process over bare Python",
                    "MiB",
                    15,
                    OptionalDouble.empty()),
            lower(
                    "dag5000",
                    "late_to_early_cpu_ratio",
                    "scheduler CPU a step near the end, of near the beginning",
                    "",
                    1.2,
                    OptionalDouble.empty()),
            lower(
                    "dag5000",
                    "late_to_early_time_ratio",
                    "time a step near the end, of near the beginning",
                    "",
                    1.2,
                    OptionalDouble.empty()),
            lower(
                    "waits200k",
                    "heap_bytes_per_waiting_run",
                    "scheduler heap for each waiting run",
                    "bytes",
                    10,
                    OptionalDouble.empty()));

    private static Target lower(String workload, String figure, String label, String unit, double must, double aim) {
        return lower(workload, figure, label, unit, must, OptionalDouble.of(aim));
    }

    private static Target lower(
            String workload, String figure, String label, String unit, double must, OptionalDouble aim) {
        return new Target(workload, figure, label, unit, true, must, aim);
    }

    private static Target higher(String workload, String figure, String label, String unit, double must, double aim) {
        return higher(workload, figure, label, unit, must, OptionalDouble.of(aim));
    }

    private static Target higher(
            String workload, String figure, String label, String unit, double must, OptionalDouble aim) {
        return new Target(workload, figure, label, unit, false, must, aim);
    }

    /** Returns the measured value of the figure. */
    OptionalDouble measured(List<Figures> all) {
        return all.stream()
                .filter(figures -> figures.workload().equals(workload))
                .map(figures -> figures.find(figure))
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    boolean isReached(double target, double measured) {
        return lowerIsBetter ? measured <= target : measured >= target;
    }

    /** The better of must and aim that was reached. */
    Optional<String> reached(double measured) {
        if (aim.isPresent() && isReached(aim.getAsDouble(), measured)) {
            return Optional.of("aim");
        }
        return must > 0 && isReached(must, measured) ? Optional.of("must") : Optional.empty();
    }
}
