package dev.millrace.worker.internal.session;

import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.worker.JobLimits;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Limits that the scheduler sets in its Welcome. Zero in a Welcome means the default. */
public record SessionLimits(Duration heartbeatInterval, Duration sessionTtl, int resultBytesMax, long logBytesMax) {
    static final Duration HEARTBEAT_INTERVAL_MIN = Duration.ofMillis(50);
    /** Fewer heartbeats would leave it in doubt whether the session lives, see {@link SessionLife}. */
    static final int HEARTBEATS_PER_TTL_MIN = 3;

    public static final SessionLimits DEFAULTS =
            new SessionLimits(Duration.ofSeconds(5), Duration.ofSeconds(15), 4 << 20, 16L << 20);

    /** These limits, with at most what one job may print and return. */
    SessionLimits within(JobLimits job) {
        return new SessionLimits(
                heartbeatInterval,
                sessionTtl,
                job.resultBytes() == 0 ? resultBytesMax : (int) Math.min(resultBytesMax, job.resultBytes()),
                job.outputBytes() == 0 ? logBytesMax : Math.min(logBytesMax, job.outputBytes()));
    }

    static SessionLimits of(Welcome welcome) {
        Duration ttl = duration(welcome.getSessionTtl(), DEFAULTS.sessionTtl);
        Duration asked = duration(welcome.getHeartbeatInterval(), DEFAULTS.heartbeatInterval);
        Duration interval = Collections.min(List.of(asked, ttl.dividedBy(HEARTBEATS_PER_TTL_MIN)));
        return new SessionLimits(
                interval.compareTo(HEARTBEAT_INTERVAL_MIN) < 0 ? HEARTBEAT_INTERVAL_MIN : interval,
                ttl,
                welcome.getResultBytesMax() > 0 ? welcome.getResultBytesMax() : DEFAULTS.resultBytesMax,
                welcome.getLogBytesMax() > 0 ? welcome.getLogBytesMax() : DEFAULTS.logBytesMax);
    }

    private static Duration duration(com.google.protobuf.Duration told, Duration ifUnset) {
        Duration duration = Duration.ofSeconds(told.getSeconds(), told.getNanos());
        return duration.isZero() ? ifUnset : duration;
    }
}
