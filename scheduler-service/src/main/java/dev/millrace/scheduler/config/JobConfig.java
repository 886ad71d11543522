package dev.millrace.scheduler.config;

import java.time.Duration;

/**
 * What holds for jobs that do not say otherwise.
 *
 * @param timeoutDefault longest time one attempt may run
 * @param lossesMax a job fails once it has taken down this many workers
 */
public record JobConfig(Duration timeoutDefault, int lossesMax) {
    static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(5);
    static final int LOSSES_MAX_DEFAULT = 3;

    public JobConfig {
        Expect.positive("millrace.job.timeout-default", timeoutDefault);
        Expect.positive("millrace.job.losses-max", lossesMax);
    }
}
