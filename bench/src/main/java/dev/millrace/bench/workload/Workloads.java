package dev.millrace.bench.workload;

import java.util.List;
import java.util.Optional;

/** All workloads, in the order in which one run measures them. */
public final class Workloads {
    public static final List<Workload> ALL = List.of(
            new PgCeiling(),
            new Seq40(),
            new Long10(),
            new Fanout400(),
            new Steps(),
            new Burn(),
            new Latency(),
            new Cold(),
            new Idle(),
            new Growth(),
            new MemoryUse(),
            new Loop100k(),
            new Dag5000(),
            new Waits200k());

    private Workloads() {}

    public static Optional<Workload> find(String name) {
        return ALL.stream().filter(workload -> workload.name().equals(name)).findFirst();
    }

    public static List<String> names() {
        return ALL.stream().map(Workload::name).toList();
    }
}
