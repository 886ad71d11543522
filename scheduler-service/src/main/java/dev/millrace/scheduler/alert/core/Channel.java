package dev.millrace.scheduler.alert.core;

import java.util.List;
import java.util.Optional;

/** Where messages go. */
public sealed interface Channel {
    /** An address that is given, or that a secret holds. */
    record Address(String url, String secret) {}

    /** The event itself, sent to an HTTP server, signed if there is a secret. */
    record Webhook(Address address, Optional<String> signingSecret) implements Channel {}

    /** A text for an incoming webhook of Slack. */
    record Slack(Address address) implements Channel {}

    /** A mail. */
    record Email(List<String> recipients) implements Channel {
        public Email {
            recipients = List.copyOf(recipients);
        }
    }

    /**
     * A topic of Kafka, which gets all events in their order.
     *
     * @param connection resource that says how to reach the brokers
     * @param isBinary whether the attributes of an event are headers
     */
    record Kafka(String connection, String topic, boolean isBinary) implements Channel {}

    /** The URL that the channel gives; empty if a secret holds it, or if it has none. */
    default Optional<String> url() {
        String given = switch (this) {
            case Webhook webhook -> webhook.address().url();
            case Slack slack -> slack.address().url();
            case Email _, Kafka _ -> "";
        };
        return given.isEmpty() ? Optional.empty() : Optional.of(given);
    }

    /** Paths of the secrets to which the channel refers. */
    default List<String> secrets() {
        List<String> paths = switch (this) {
            case Webhook webhook ->
                List.of(webhook.address().secret(), webhook.signingSecret().orElse(""));
            case Slack slack -> List.of(slack.address().secret());
            case Email _, Kafka _ -> List.of();
        };
        return paths.stream().filter(path -> !path.isEmpty()).toList();
    }

    /** Name in the database and in messages. */
    default String text() {
        return switch (this) {
            case Webhook _ -> "webhook";
            case Slack _ -> "slack";
            case Email _ -> "email";
            case Kafka _ -> "kafka";
        };
    }
}
