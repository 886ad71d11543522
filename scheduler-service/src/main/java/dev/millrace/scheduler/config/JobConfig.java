package dev.millrace.scheduler.config;

import java.time.Duration;

/**
 * Defaults for jobs that set no values of their own.
 *
 * @param timeoutDefault longest time one attempt may run
 * @param lossesMax number of lost workers after which a job fails
 */
public record JobConfig(Duration timeoutDefault, int lossesMax) {
    public static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(5);
    public static final int LOSSES_MAX_DEFAULT = 3;

    public JobConfig {
        Expect.positive("millrace.job.timeout-default", timeoutDefault);
        Expect.positive("millrace.job.losses-max", lossesMax);
    }
}
