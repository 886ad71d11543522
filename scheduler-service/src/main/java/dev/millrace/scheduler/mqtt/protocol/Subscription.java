package dev.millrace.scheduler.mqtt.protocol;

import static java.util.Objects.requireNonNull;

/**
 * Topics that a session wants.
 *
 * @param filter topic filter
 * @param qos highest quality of service of its messages
 */
public record Subscription(String filter, int qos) {
    public Subscription {
        requireNonNull(filter, "filter");
    }

    /** The subscription as {@link #toString} wrote it. */
    public static Subscription of(String text) {
        return new Subscription(text.substring(2), text.charAt(0) - '0');
    }

    @Override
    public String toString() {
        return qos + " " + filter;
    }
}
