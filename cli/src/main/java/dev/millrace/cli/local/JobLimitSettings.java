package dev.millrace.cli.local;

import dev.millrace.text.Durations;
import dev.millrace.worker.JobLimits;
import io.smallrye.config.SmallRyeConfig;
import java.util.Set;

/** Settings of what each job of a script may use at most. Zero means no limit. */
final class JobLimitSettings {
    static final String MEMORY = "millrace.worker.job-memory-bytes-max";
    static final String CPU = "millrace.worker.job-cpu-max";
    static final String PROCESSES = "millrace.worker.job-processes-max";
    static final String FILES = "millrace.worker.job-files-max";
    static final String OUTPUT = "millrace.worker.job-output-bytes-max";
    static final String RESULT = "millrace.worker.job-result-bytes-max";
    static final Set<String> KNOWN = Set.of(MEMORY, CPU, PROCESSES, FILES, OUTPUT, RESULT);

    private JobLimitSettings() {}

    static JobLimits read(SmallRyeConfig config) {
        JobLimits defaults = JobLimits.DEFAULTS;
        return new JobLimits(
                number(config, MEMORY, defaults.memoryBytes()),
                config.getOptionalValue(CPU, String.class)
                        .map(value -> Durations.parse(value)
                                .orElseThrow(() -> new IllegalArgumentException(
                                        CPU + ": " + value + " (expected: a duration such as 250ms, 30s or 5m)")))
                        .orElse(defaults.cpu()),
                count(config, PROCESSES, defaults.processes()),
                count(config, FILES, defaults.files()),
                number(config, OUTPUT, defaults.outputBytes()),
                number(config, RESULT, defaults.resultBytes()));
    }

    private static int count(SmallRyeConfig config, String key, int ifUnset) {
        return (int) Math.min(Integer.MAX_VALUE, number(config, key, ifUnset));
    }

    private static long number(SmallRyeConfig config, String key, long ifUnset) {
        long value = config.getOptionalValue(key, Long.class).orElse(ifUnset);
        if (value < 0) {
            throw new IllegalArgumentException(key + ": " + value + " (expected: >= 0, where 0 means no limit)");
        }
        return value;
    }
}
