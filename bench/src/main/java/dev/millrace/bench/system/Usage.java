package dev.millrace.bench.system;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Resources that the whole system has used since its start. The difference of two gives the cost of the work in
 * between.
 *
 * @param cpuSeconds by process: {@code postgres}, {@code scheduler}, {@code worker}, {@code python} (all that the
 *     worker starts), {@code client}, {@code gateway}
 * @param allocatedBytes by JVM: {@code scheduler}, {@code worker}
 * @param answers answers of Postgres to the scheduler, by connection
 */
public record Usage(
        double commits,
        double walBytes,
        Map<String, Double> cpuSeconds,
        Map<String, Double> allocatedBytes,
        Map<String, Long> answers) {
    private static final double STEPS_PER_UNIT = 1000;

    /** Resources used since an earlier time, per thousand of the steps that ran in between. */
    public Map<String, Double> perThousandStepsSince(Usage start, long steps) {
        double units = steps / STEPS_PER_UNIT;
        var figures = new LinkedHashMap<String, Double>();
        figures.put("commits_per_1000_steps", (commits - start.commits) / units);
        figures.put("wal_bytes_per_1000_steps", (walBytes - start.walBytes) / units);
        Sockets.between(start.answers, answers)
                .ifPresent(count -> figures.put("postgres_round_trips_per_1000_steps", count / units));
        cpuSecondsSince(start)
                .forEach((process, seconds) -> figures.put(process + "_cpu_seconds_per_1000_steps", seconds / units));
        allocatedBytes.forEach((jvm, bytes) -> figures.put(
                jvm + "_allocated_bytes_per_1000_steps",
                (bytes - start.allocatedBytes.getOrDefault(jvm, 0.0)) / units));
        return figures;
    }

    /** CPU seconds of each process since an earlier time. */
    public Map<String, Double> cpuSecondsSince(Usage start) {
        var seconds = new LinkedHashMap<String, Double>();
        cpuSeconds.forEach((process, now) -> seconds.put(process, now - start.cpuSeconds.getOrDefault(process, 0.0)));
        return seconds;
    }
}
