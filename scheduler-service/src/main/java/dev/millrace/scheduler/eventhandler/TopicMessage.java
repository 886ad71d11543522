package dev.millrace.scheduler.eventhandler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.kafka.SkippedBatch;
import dev.millrace.scheduler.kafka.core.Message;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * A message of a topic, for a handler.
 *
 * @param id follows from the place of the message
 * @param source topic, partition and offset, for people
 * @param message JSON; absent if handlers cannot use it
 * @param trouble why they cannot, as a sentence; else empty
 */
record TopicMessage(UUID id, String source, Optional<String> message, String trouble) {
    TopicMessage {
        requireNonNull(id, "id");
        requireNonNull(source, "source");
        requireNonNull(message, "message");
        requireNonNull(trouble, "trouble");
    }

    /**
     * A message as handlers get it: its value, which is JSON or else a text, as in Conductor.
     *
     * @param topic id of the topic
     */
    static TopicMessage of(UUID topic, Message message) {
        UUID id = id(topic, message.partition(), message.offset());
        String source = source(message.topic(), message.partition(), message.offset());
        int length = message.value().map(value -> value.length).orElse(0);
        if (length > NoteMessagesStatement.MESSAGE_BYTES_MAX) {
            return new TopicMessage(id, source, Optional.empty(), NoteMessagesStatement.tooLarge(length));
        }
        Optional<JsonValue> value = message.value().isEmpty()
                ? Optional.of(JsonValue.NULL)
                : ContentFormat.JSON
                        .read(message.value().get())
                        .or(() -> ContentFormat.TEXT.read(message.value().get()));
        if (value.isEmpty()) {
            return new TopicMessage(id, source, Optional.empty(), "The message is neither JSON nor text in UTF-8.");
        }
        String text = value.get().text();
        int bytes = text.getBytes(UTF_8).length;
        return bytes > NoteMessagesStatement.MESSAGE_BYTES_MAX
                ? new TopicMessage(id, source, Optional.empty(), NoteMessagesStatement.tooLarge(bytes))
                : new TopicMessage(id, source, Optional.of(text), "");
    }

    /** What stands for messages that cannot be read, from an offset on. */
    static TopicMessage skipped(UUID topic, SkippedBatch batch, long first) {
        return new TopicMessage(
                id(topic, batch.partition(), first),
                source(batch.topic(), batch.partition(), first),
                Optional.empty(),
                batch.reason(first, "event handlers"));
    }

    private static UUID id(UUID topic, int partition, long offset) {
        return UUID.nameUUIDFromBytes((topic + "/" + partition + "/" + offset).getBytes(UTF_8));
    }

    private static String source(String topic, int partition, long offset) {
        return topic + "/" + partition + "/" + offset;
    }
}
