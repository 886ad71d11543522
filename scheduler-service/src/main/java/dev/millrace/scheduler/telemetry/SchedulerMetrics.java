package dev.millrace.scheduler.telemetry;

import dev.millrace.memory.MemoryPart;
import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import dev.millrace.metrics.Points;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.LaneObserver;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.SlotBoard;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The scheduler's metrics. A feature with metrics of its own defines them in {@link #metrics} when it starts.
 * Thread-safe.
 */
public final class SchedulerMetrics {
    /** Largest number of slot groups that metrics tell apart; all further ones are counted together. */
    private static final int GROUPS_MAX = 50;
    /** Largest number of languages that metrics tell apart; all further ones are counted together. */
    private static final int LANGUAGES_MAX = 20;

    private static final double MILLIS_PER_SECOND = 1_000;

    private final Metrics metrics;
    private final TagLabel tags = new TagLabel();
    private final LaneMetrics lanes;

    public SchedulerMetrics(Metrics metrics) {
        this.metrics = metrics;
        this.lanes = new LaneMetrics(metrics, tags, InstantSource.system());
    }

    /** The metrics of the process, for features that define further ones. */
    public Metrics metrics() {
        return metrics;
    }

    /** Counts and times what lanes commit. */
    public LaneObserver laneObserver() {
        return lanes;
    }

    /** Shows what the database contains, and how its connections are used. The caller closes what this returns. */
    public AutoCloseable watch(Database database) {
        List<String> pool = List.of("pool");
        metrics.gauges(
                "millrace_database_pool_active_connections",
                "Connections of a pool that are in use; lanes have connections of their own",
                pool,
                points -> database.pools().forEach(use -> points.add(use.active(), use.name())));
        metrics.gauges(
                "millrace_database_pool_idle_connections",
                "Connections of a pool that are open and not in use",
                pool,
                points -> database.pools().forEach(use -> points.add(use.idle(), use.name())));
        metrics.gauges(
                "millrace_database_pool_waiting_threads",
                "Threads that wait for a connection of a pool",
                pool,
                points -> database.pools().forEach(use -> points.add(use.waiting(), use.name())));
        metrics.gauges(
                "millrace_database_pool_connections_max",
                "Connections that a pool may have",
                pool,
                points -> database.pools().forEach(use -> points.add(use.max(), use.name())));
        return DatabaseMetrics.start(metrics, database, tags);
    }

    /** Shows the parts of the memory budget. */
    public void watch(List<MemoryPart> memory) {
        List<String> part = List.of("part");
        metrics.gauges(
                "millrace_scheduler_memory_reserved_bytes",
                "Bytes that the scheduler holds for others",
                part,
                points -> memory.forEach(each -> points.add(each.reservedBytes(), each.name())));
        metrics.gauges(
                "millrace_scheduler_memory_limit_bytes",
                "Bytes that the scheduler may hold for others",
                part,
                points -> memory.forEach(each -> points.add(each.limitBytes(), each.name())));
        metrics.counters(
                "millrace_scheduler_memory_refusals_total",
                "Requests and answers for which the scheduler had no room",
                part,
                points -> memory.forEach(each -> points.add(each.refusals(), each.name())));
    }

    /** Shows the lanes, and the workers that are connected to this scheduler. */
    public void watch(Lanes queue, SlotBoard slots, Leases leases) {
        metrics.gauges("millrace_lane_commands_waiting", "Commands that wait in a lane", List.of("lane"), points -> {
            List<Integer> waiting = queue.waiting();
            for (int lane = 0; lane < waiting.size(); lane++) {
                points.add(waiting.get(lane), Integer.toString(lane));
            }
        });
        metrics.gauge(
                "millrace_lanes_connected",
                "1 if all lanes can commit, 0 if one of them waits for the database",
                () -> queue.canCommit() ? 1 : 0);
        metrics.gauge(
                "millrace_lane_oldest_commit_age_seconds",
                "Time since the oldest commit under way began; it grows while commits hang",
                () -> queue.oldestCommit().toMillis() / MILLIS_PER_SECOND);
        metrics.gauge(
                "millrace_worker_sessions",
                "Workers that are connected to this scheduler",
                () -> slots.receivers().size());
        metrics.gauge(
                "millrace_worker_sessions_drained",
                "Workers that are connected to this scheduler and get no more jobs",
                () -> slots.uses().stream()
                        .filter(SlotBoard.Use::isDrained)
                        .map(SlotBoard.Use::worker)
                        .distinct()
                        .count());
        metrics.gauge(
                "millrace_worker_leases",
                "Jobs that workers have, as far as this scheduler remembers them; the sum over all schedulers is the number of leased jobs, or a little more",
                leases::size);
        LabelBound groups = new LabelBound(GROUPS_MAX);
        List<String> group = List.of("group");
        metrics.gauges(
                "millrace_worker_slots",
                "Jobs that the connected workers can run at once, by slot group; of drained workers, those that they run",
                group,
                points -> sum(slots, groups, SlotBoard.Use::slots, points));
        metrics.gauges(
                "millrace_worker_slots_used",
                "Slots of the connected workers that have a job",
                group,
                points -> sum(slots, groups, SlotBoard.Use::used, points));
        metrics.gauges(
                "millrace_worker_jobs_prefetched",
                "Jobs that wait on connected workers for a slot",
                group,
                points -> sum(
                        slots,
                        groups,
                        use -> Math.max(0, use.jobs() - use.group().slots()),
                        points));
    }

    /**
     * Shows the processes that connected workers report.
     *
     * @param processes number of processes, by language and state
     */
    public void watchProcesses(Supplier<Map<List<String>, Integer>> processes) {
        LabelBound languages = new LabelBound(LANGUAGES_MAX);
        metrics.gauges(
                "millrace_worker_processes",
                "Processes of the connected workers, as they report them with their heartbeats",
                List.of("language", "state"),
                points -> {
                    Map<List<String>, Integer> merged =
                            new TreeMap<>(Comparator.comparing(labels -> String.join("\n", labels)));
                    processes
                            .get()
                            .forEach((labels, count) -> merged.merge(
                                    List.of(languages.of(labels.getFirst()), labels.getLast()), count, Integer::sum));
                    merged.forEach((labels, count) -> points.add(count, labels.getFirst(), labels.getLast()));
                });
    }

    private static void sum(SlotBoard slots, LabelBound groups, ToIntFunction<SlotBoard.Use> value, Points points) {
        Map<String, Integer> sums = new TreeMap<>();
        slots.uses().forEach(use -> sums.merge(groups.of(use.group().name()), value.applyAsInt(use), Integer::sum));
        sums.forEach((group, sum) -> points.add(sum, group));
    }
}
