package dev.millrace.bench.workload;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All workloads, in the order of their measurement. */
public final class Workloads {
    public static final List<Workload> ALL = List.of(
            new PgCeiling(),
            new Seq40(),
            new Expressions(),
            new Long10(),
            new Fanout400(),
            new Steps(),
            new FollowedSteps(),
            new Burn(),
            new Latency(),
            new Cold(),
            new ColdDeps(),
            new Cancel(),
            new Idle(),
            new Growth(),
            new TwoSchedulers(),
            new MemoryUse(),
            new Loop100k(),
            new Dag5000(),
            new Waits200k(),
            new Schedules());

    /** Workloads that take too long for {@code all}, or need an index of packages or a browser. */
    public static final List<Workload> LONG = List.of(
            new HeavyImport(),
            new Recovery(),
            new Soak(),
            new ScrapedSteps(),
            new TracedSteps(),
            new ConsolePages(),
            new Tabs());

    private Workloads() {}

    public static Optional<Workload> find(String name) {
        return known().stream().filter(workload -> workload.name().equals(name)).findFirst();
    }

    public static List<String> names() {
        return known().stream().map(Workload::name).toList();
    }

    /** All workloads, including those that run only by name. */
    public static List<Workload> known() {
        return Stream.concat(ALL.stream(), LONG.stream()).toList();
    }
}
