package dev.millrace.scheduler.config;

import java.time.Duration;

/**
 * Settings that decide when a worker counts as lost.
 *
 * @param sessionTtl time without a heartbeat after which a session expires
 * @param heartbeatInterval time between the heartbeats of a worker
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
