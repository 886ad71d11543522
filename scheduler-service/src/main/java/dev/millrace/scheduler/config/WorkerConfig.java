package dev.millrace.scheduler.config;

import java.time.Duration;

/**
 * How the scheduler watches its workers.
 *
 * @param sessionTtl how long a session lives without a sign of life
 * @param heartbeatInterval how often workers are asked to give one
 */
public record WorkerConfig(Duration sessionTtl, Duration heartbeatInterval) {
    static final Duration SESSION_TTL_DEFAULT = Duration.ofSeconds(15);
    static final Duration HEARTBEAT_INTERVAL_DEFAULT = Duration.ofSeconds(5);

    public WorkerConfig {
        Expect.positive("millrace.worker.heartbeat-interval", heartbeatInterval);
        Expect.that(
                sessionTtl.compareTo(heartbeatInterval.multipliedBy(2)) >= 0,
                "millrace.worker.session-ttl",
                sessionTtl,
                "at least twice millrace.worker.heartbeat-interval, " + heartbeatInterval);
    }
}
