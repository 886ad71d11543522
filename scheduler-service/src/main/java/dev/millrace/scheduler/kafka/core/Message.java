package dev.millrace.scheduler.kafka.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
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
    public Optional<JsonValue> json(ValueFormat format) {
        Optional<JsonValue> content = value.isEmpty() ? Optional.of(JsonValue.NULL) : content(value.get(), format);
        Optional<JsonValue> name = key.isEmpty()
                ? Optional.of(JsonValue.NULL)
                : content(key.get(), format == ValueFormat.JSON ? ValueFormat.TEXT : format);
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
        headers.forEach((header, bytes) -> texts.put(
                header,
                text(bytes)
                        .orElseGet(() -> JsonValue.ofString(Base64.getEncoder().encodeToString(bytes)))));
        members.put("headers", JsonValue.ofMembers(texts));
        return Optional.of(JsonValue.ofMembers(members));
    }

    private static Optional<JsonValue> content(byte[] bytes, ValueFormat format) {
        return switch (format) {
            case JSON ->
                text(bytes)
                        .map(JsonValue::string)
                        .filter(text ->
                                text.indexOf('\0') < 0 && JsonText.problem(text).isEmpty())
                        .map(JsonValue::of);
            case TEXT -> text(bytes);
            case BASE64 -> Optional.of(JsonValue.ofString(Base64.getEncoder().encodeToString(bytes)));
        };
    }

    private static Optional<JsonValue> text(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        return Arrays.equals(text.getBytes(UTF_8), bytes) ? Optional.of(JsonValue.ofString(text)) : Optional.empty();
    }

    /** The fixed input of a trigger with one message, or with several. A fixed member wins. */
    public static JsonValue input(JsonValue fixed, String member, JsonValue content) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(member, content);
        members.putAll(fixed.members());
        return JsonValue.ofMembers(members);
    }

    /** An array of these values. */
    public static JsonValue array(List<JsonValue> values) {
        StringBuilder text = new StringBuilder("[");
        values.forEach(value -> text.append(text.length() == 1 ? "" : ",").append(value));
        return JsonValue.of(text.append(']').toString());
    }
}
