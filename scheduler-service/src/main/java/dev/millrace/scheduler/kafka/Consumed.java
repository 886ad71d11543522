package dev.millrace.scheduler.kafka;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a consumer reads.
 *
 * @param reader path of what it reads for, for the log
 * @param connection path of the resource with the settings of the client
 * @param group consumer group
 * @param since when new messages begin, where the consumer has not read yet; absent to begin with the oldest ones
 * @param batchMax number of messages of a partition that are accepted together at least, unless they have waited long enough
 * @param batchWait how long messages wait for further ones
 */
public record Consumed(
        Workspace workspace,
        String reader,
        String connection,
        List<String> topics,
        String group,
        Optional<Instant> since,
        int batchMax,
        Duration batchWait) {
    public Consumed {
        requireNonNull(workspace, "workspace");
        requireNonNull(reader, "reader");
        requireNonNull(connection, "connection");
        topics = List.copyOf(topics);
        requireNonNull(group, "group");
        requireNonNull(since, "since");
        requireNonNull(batchWait, "batchWait");
    }
}
