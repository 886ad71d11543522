package dev.millrace.scheduler.alert.core;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One message.
 *
 * @param event the CloudEvent
 * @param state {@code pending}, {@code delivered} or {@code dead}
 * @param nextAt when it is sent next; absent if it is not
 * @param status status of the last HTTP answer; absent if there was none
 * @param error why the last attempt failed; empty if it did not
 */
public record Delivery(
        UUID id,
        UUID eventId,
        String eventType,
        String event,
        String state,
        int attempts,
        Optional<Instant> nextAt,
        Optional<Integer> status,
        String error,
        Instant createdAt,
        Optional<Instant> endedAt) {}
