package dev.millrace.scheduler.kafka.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A message of a topic. Nobody changes its bytes, so they are not copied.
 *
 * @param key absent for a message without key
 * @param value absent for a tombstone
 * @param headers values by name; of headers with the same name, the last one
 */
public record Message(
        String topic,
        int partition,
        long offset,
        Instant time,
        Optional<byte[]> key,
        Optional<byte[]> value,
        Map<String, byte[]> headers) {
    public Message {
        requireNonNull(topic, "topic");
        requireNonNull(time, "time");
        requireNonNull(key, "key");
        requireNonNull(value, "value");
        requireNonNull(headers, "headers");
    }

    /** Where it is. */
    public Batches.Place place() {
        return new Batches.Place(topic, partition);
    }

    /** Size of key, value and headers in bytes. */
    public long bytes() {
        return key.map(bytes -> bytes.length).orElse(0)
                + value.map(bytes -> bytes.length).orElse(0)
                + headers.entrySet().stream()
                        .mapToLong(header -> header.getKey().length() + header.getValue().length)
                        .sum();
    }

    /** The message in an input; empty if its value or key is not what the format says. */
    public Optional<JsonValue> json(ContentFormat format) {
        Optional<JsonValue> content = value.isEmpty() ? Optional.of(JsonValue.NULL) : format.read(value.get());
        Optional<JsonValue> name = key.isEmpty()
                ? Optional.of(JsonValue.NULL)
                : (format == ContentFormat.JSON ? ContentFormat.TEXT : format).read(key.get());
        if (content.isEmpty() || name.isEmpty()) {
            return Optional.empty();
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("topic", JsonValue.ofString(topic));
        members.put("partition", JsonValue.of((long) partition));
        members.put("offset", JsonValue.of(offset));
        members.put("timestamp", JsonValue.ofString(time.toString()));
        members.put("key", name.get());
        members.put("value", content.get());
        Map<String, JsonValue> texts = new LinkedHashMap<>();
        headers.forEach((header, bytes) -> texts.put(header, ContentFormat.shown(bytes)));
        members.put("headers", JsonValue.ofMembers(texts));
        return Optional.of(JsonValue.ofMembers(members));
    }
}
