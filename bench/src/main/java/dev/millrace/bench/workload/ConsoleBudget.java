package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The worst acceptable value of a figure of the console.
 *
 * @param figure its name
 * @param label what it is, for people
 * @param limit the budget
 * @param isLeast whether the figure must reach the limit; otherwise it must not exceed it
 */
record ConsoleBudget(String figure, String label, double limit, boolean isLeast) {
    /** A page that does not react for longer is said to freeze. */
    private static final double FREEZE_MS = 500;
    /** A page that does not react for longer stutters while somebody scrolls. */
    private static final double STUTTER_MS = 200;

    private static final double HEAP_MIB = 200;

    static final List<ConsoleBudget> ALL = List.of(
            most("first_load_gzip_kib", "first load, compressed, KiB", 400),
            most("first_load_first_paint_ms", "first load, first paint, ms", 1_000),
            most("list_all_ms", "list of all runs, server, ms", 200),
            most("list_failed_ms", "list of failed runs, server, ms", 200),
            most("list_often_ms", "list of a flow, server, ms", 200),
            most("list_rare_ms", "list of a rare flow, server, ms", 200),
            most("list_none_ms", "list without a match, server, ms", 200),
            most("list_counted_ms", "list of all runs with their number, server, ms", 200),
            most("list_older_ms", "list of runs before a time, server, ms", 200),
            most("list_often_and_failed_ms", "list of a flow's failures, server, ms", 200),
            most("runs_page_shown_ms", "runs, first rows shown, ms", 1_500),
            most("runs_page_longest_task_ms", "runs, longest task while loading more, ms", STUTTER_MS),
            most("steps_shown_ms", "many steps, timeline painted, ms", 1_000),
            most("steps_complete_ms", "many steps, all known, ms", 3_000),
            most("steps_opening_longest_task_ms", "many steps, longest task, ms", FREEZE_MS),
            most("steps_scrolling_longest_task_ms", "many steps, longest task while scrolling, ms", STUTTER_MS),
            most("loop_shown_ms", "large loop, count shown, ms", 2_000),
            most("loop_opening_longest_task_ms", "large loop, longest task, ms", FREEZE_MS),
            most("loop_unfolded_ms", "large loop, unfolded, ms", 1_000),
            most("loop_unfolding_longest_task_ms", "large loop, longest task while unfolding, ms", FREEZE_MS),
            most("loop_heap_mib", "large loop, heap of the page, MiB", HEAP_MIB),
            most("graph_shown_ms", "large graph, drawn, ms", 5_000),
            most("graph_opening_longest_task_ms", "large graph, longest task, ms", FREEZE_MS),
            most("graph_moving_longest_task_ms", "large graph, longest task while zooming, ms", STUTTER_MS),
            most("log_shown_ms", "large log, first line shown, ms", 1_500),
            most("log_end_ms", "large log, to the end, ms", 1_000),
            most("log_to_end_longest_task_ms", "large log, longest task to the end, ms", FREEZE_MS),
            most("log_scrolling_longest_task_ms", "large log, longest task while scrolling, ms", STUTTER_MS),
            most("log_find_ms", "large log, a line in the middle found, ms", 10_000),
            most("log_heap_mib", "large log, heap of the page, MiB", HEAP_MIB),
            least("lighthouse_home_performance", "Lighthouse, home, performance", 90),
            least("lighthouse_home_accessibility", "Lighthouse, home, accessibility", 95),
            least("lighthouse_runs_performance", "Lighthouse, runs, performance", 90),
            least("lighthouse_runs_accessibility", "Lighthouse, runs, accessibility", 95),
            least("lighthouse_run_performance", "Lighthouse, a run, performance", 90),
            least("lighthouse_run_accessibility", "Lighthouse, a run, accessibility", 95));

    private static ConsoleBudget most(String figure, String label, double limit) {
        return new ConsoleBudget(figure, label, limit, false);
    }

    private static ConsoleBudget least(String figure, String label, double limit) {
        return new ConsoleBudget(figure, label, limit, true);
    }

    /** Every budget beside its figure, in a line each. */
    static String table(Figures figures) {
        return ALL.stream().map(budget -> budget.line(figures)).collect(Collectors.joining("\n"));
    }

    private String line(Figures figures) {
        OptionalDouble figure = figures.find(this.figure);
        String seen = figure.isEmpty() ? "none" : String.format(Locale.ROOT, "%,.0f", figure.getAsDouble());
        return String.format(
                Locale.ROOT,
                "%-58s %s %,7.0f  %9s  %s",
                label,
                isLeast ? ">=" : "<=",
                limit,
                seen,
                isKept(figure) ? "" : "OVER BUDGET");
    }

    /** Whether the figure was measured and keeps the budget. */
    boolean isKept(OptionalDouble figure) {
        return figure.isPresent() && (isLeast ? figure.getAsDouble() >= limit : figure.getAsDouble() <= limit);
    }

    /** Number of budgets that are not kept. */
    static long over(Figures figures) {
        return ALL.stream()
                .filter(budget -> !budget.isKept(figures.find(budget.figure)))
                .count();
    }
}
