package dev.millrace.worker.internal.session;

import dev.millrace.proto.worker.v1.Welcome;
import java.time.Duration;

/** What the scheduler's Welcome asks of the worker. Zero in a Welcome means that the default holds. */
public record SessionLimits(Duration heartbeatInterval, int resultBytesMax, long logBytesMax) {
    static final Duration HEARTBEAT_INTERVAL_MIN = Duration.ofMillis(50);
    public static final SessionLimits DEFAULTS = new SessionLimits(Duration.ofSeconds(5), 4 << 20, 16L << 20);

    static SessionLimits of(Welcome welcome) {
        Duration interval = Duration.ofSeconds(
                welcome.getHeartbeatInterval().getSeconds(),
                welcome.getHeartbeatInterval().getNanos());
        if (interval.isZero()) {
            interval = DEFAULTS.heartbeatInterval;
        }
        return new SessionLimits(
                interval.compareTo(HEARTBEAT_INTERVAL_MIN) < 0 ? HEARTBEAT_INTERVAL_MIN : interval,
                welcome.getResultBytesMax() > 0 ? welcome.getResultBytesMax() : DEFAULTS.resultBytesMax,
                welcome.getLogBytesMax() > 0 ? welcome.getLogBytesMax() : DEFAULTS.logBytesMax);
    }
}
