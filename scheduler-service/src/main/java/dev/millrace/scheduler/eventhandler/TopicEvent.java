package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An event that stands for the messages of a topic of Kafka: {@code kafka:TOPIC} or {@code kafka:CONNECTION:TOPIC}.
 *
 * @param connection path of the resource that says how to reach the brokers
 */
record TopicEvent(String connection, String topic) {
    /** What the events of topics begin with. */
    static final String PREFIX = "kafka:";
    /** Path of the resource for events that name none. */
    static final String CONNECTION = "kafka";

    private static final Pattern EVENT = Pattern.compile(PREFIX + "(?:([^:]+):)?([A-Za-z0-9._-]{1,249})");

    TopicEvent {
        requireNonNull(connection, "connection");
        requireNonNull(topic, "topic");
    }

    /** Reads an event; empty if it is none of a topic. */
    static Optional<TopicEvent> of(String event) {
        Matcher matcher = EVENT.matcher(event);
        return matcher.matches()
                ? Optional.of(
                        new TopicEvent(Optional.ofNullable(matcher.group(1)).orElse(CONNECTION), matcher.group(2)))
                : Optional.empty();
    }
}
