package dev.millrace.worker.internal.limit;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.session.JobErrors;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Compares what a job uses with what it may use. */
public final class LimitCheck {
    /** Name of the error of a job that uses more than it may. */
    public static final String ERROR = "LimitExceeded";

    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB"};
    private static final int UNIT = 1024;

    private LimitCheck() {}

    /** Whether these limits are compared at all while a job runs. */
    public static boolean isNeeded(JobLimits limits) {
        return limits.memoryBytes() > 0 || !limits.cpu().isZero() || limits.processes() > 0;
    }

    /**
     * Returns the error of a job that uses too much; empty if it does not.
     *
     * @param before what its process had used before the job
     */
    public static Optional<JobError> check(JobLimits limits, Usage before, Usage now) {
        if (limits.processes() > 0 && now.processes() > limits.processes()) {
            return Optional.of(
                    exceeded("processes", "had " + now.processes() + " processes", String.valueOf(limits.processes())));
        }
        if (limits.memoryBytes() > 0 && now.memoryBytes() > limits.memoryBytes()) {
            return Optional.of(exceeded(
                    "memory", "used " + inWords(now.memoryBytes()) + " of memory", inWords(limits.memoryBytes())));
        }
        Duration cpu = now.cpu().minus(before.cpu());
        if (!limits.cpu().isZero() && cpu.compareTo(limits.cpu()) > 0) {
            return Optional.of(exceeded(
                    "cpu", "used " + JobErrors.inWords(cpu) + " of CPU time", JobErrors.inWords(limits.cpu())));
        }
        return Optional.empty();
    }

    /** The error of a job that the system has ended, because its control group had no memory left. */
    public static JobError outOfMemory(JobLimits limits) {
        return exceeded("memory", "wanted more memory", inWords(limits.memoryBytes()));
    }

    private static JobError exceeded(String limit, String use, String allowed) {
        return JobErrors.of(
                ERROR,
                "The job and the processes that it started " + use + ", which is more than its limit `" + limit
                        + "` of " + allowed + ". Use less, or raise the limit in the script and on the worker.",
                false);
    }

    /** The size in words: {@code 512 bytes}, {@code 64 KiB}, {@code 1.5 GiB}. */
    static String inWords(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= UNIT && unit < UNITS.length - 1) {
            amount /= UNIT;
            unit++;
        }
        String number = String.format(Locale.ROOT, "%.1f", amount);
        return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number) + " " + UNITS[unit];
    }
}
