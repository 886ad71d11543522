package dev.millrace.harness;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Parts of a cluster and their configuration.
 *
 * @param schedulers number of schedulers
 * @param gateway whether there is a gateway, which talks to the first scheduler
 * @param workers for each worker, the index of the scheduler it connects to
 * @param settings configuration of every process, by key such as {@code millrace.worker.session-ttl}
 * @param jvmFlags flags of every JVM
 * @param proxied whether the gateway and the workers reach their schedulers through proxies, which tests use to disturb
 *     connections
 * @param home the checkout whose version all processes run at first
 */
public record ClusterPlan(
        int schedulers,
        boolean gateway,
        List<Integer> workers,
        Map<String, String> settings,
        List<String> jvmFlags,
        boolean proxied,
        MillraceHome home) {
    private static final List<String> SMALL_HEAP = List.of("-Xmx256m");
    private static final List<String> LARGE_HEAP = List.of("-Xmx512m");

    public ClusterPlan {
        if (schedulers < 1) {
            throw new IllegalArgumentException("schedulers: " + schedulers + " (expected: >= 1)");
        }
        workers = List.copyOf(requireNonNull(workers, "workers is null"));
        settings = Map.copyOf(requireNonNull(settings, "settings is null"));
        jvmFlags = List.copyOf(requireNonNull(jvmFlags, "jvmFlags is null"));
        requireNonNull(home, "home is null");
    }

    /** A plan without proxies, of the version under test. */
    public ClusterPlan(
            int schedulers,
            boolean gateway,
            List<Integer> workers,
            Map<String, String> settings,
            List<String> jvmFlags) {
        this(schedulers, gateway, workers, settings, jvmFlags, false, MillraceHome.find());
    }

    /** One scheduler, one gateway, one worker. */
    public static ClusterPlan small() {
        return new ClusterPlan(1, true, List.of(0), Map.of(), SMALL_HEAP);
    }

    /** One scheduler and one worker, with a heap large enough for load. */
    public static ClusterPlan fast() {
        return new ClusterPlan(1, false, List.of(0), Map.of(), LARGE_HEAP);
    }

    public ClusterPlan withSchedulers(int count) {
        return new ClusterPlan(count, gateway, workers, settings, jvmFlags, proxied, home);
    }

    /** Replaces the workers; each number is the index of the scheduler that the worker connects to. */
    public ClusterPlan withWorkers(Integer... schedulerOfWorker) {
        return new ClusterPlan(schedulers, gateway, List.of(schedulerOfWorker), settings, jvmFlags, proxied, home);
    }

    public ClusterPlan withGateway() {
        return new ClusterPlan(schedulers, true, workers, settings, jvmFlags, proxied, home);
    }

    public ClusterPlan withProxies() {
        return new ClusterPlan(schedulers, gateway, workers, settings, jvmFlags, true, home);
    }

    /** Starts all processes with the version of another checkout, which is built already. */
    public ClusterPlan withHome(MillraceHome other) {
        return new ClusterPlan(schedulers, gateway, workers, settings, jvmFlags, proxied, other);
    }

    /** Adds a flag of every JVM; it overrides those of the services. */
    public ClusterPlan withJvmFlag(String flag) {
        List<String> flags = Stream.concat(jvmFlags.stream(), Stream.of(flag)).toList();
        return new ClusterPlan(schedulers, gateway, workers, settings, flags, proxied, home);
    }

    public ClusterPlan with(String key, String value) {
        var more = new LinkedHashMap<>(settings);
        more.put(key, value);
        return new ClusterPlan(schedulers, gateway, workers, more, jvmFlags, proxied, home);
    }
}
