package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * A limit that all jobs of the workspace with the same key share.
 *
 * @param key key of the queue; empty means the handler, or the version of the script
 * @param max most jobs that run at once; 0 for no such limit
 * @param rate most jobs that begin within a period; empty for no such limit
 */
public record JobLimit(String key, int max, Optional<Rate> rate) {
    public JobLimit {
        requireNonNull(key, "key");
        requireNonNull(rate, "rate");
    }

    /**
     * Most jobs that begin within a period.
     *
     * @param count number of jobs
     * @param per length of the period
     */
    public record Rate(int count, Duration per) {
        public Rate {
            requireNonNull(per, "per");
        }
    }

    dev.millrace.proto.run.v1.JobLimit message() {
        var message =
                dev.millrace.proto.run.v1.JobLimit.newBuilder().setKey(key).setMax(max);
        rate.ifPresent(it -> message.getRateBuilder().setCount(it.count()).setPer(Times.message(it.per())));
        return message.build();
    }
}
