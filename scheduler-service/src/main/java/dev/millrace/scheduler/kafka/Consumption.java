package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.kafka.core.Message;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import dev.millrace.scheduler.trigger.core.EventInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes occurrences of the messages of a partition. */
final class Consumption {
    private final Trigger trigger;
    private final KafkaSettings settings;
    private final int messageBytesMax;
    private final int batchCharsMax;
    private final Supplier<RunId> ids;

    /**
     * @param messageBytesMax size from which on a message cannot be an input, so that it is not even read
     * @param batchCharsMax longest JSON of a batch of several messages
     */
    Consumption(Trigger trigger, KafkaSettings settings, int messageBytesMax, int batchCharsMax, Supplier<RunId> ids) {
        this.trigger = trigger;
        this.settings = settings;
        this.messageBytesMax = messageBytesMax;
        this.batchCharsMax = batchCharsMax;
        this.ids = ids;
    }

    /**
     * What the messages start. A message that is not what the format says starts nothing, which is noted.
     *
     * @param topic id of the topic
     */
    List<NewStart> of(UUID topic, List<Message> messages) {
        List<NewStart> starts = new ArrayList<>();
        Batch batch = new Batch(topic, starts);
        for (Message message : messages) {
            if (message.bytes() > messageBytesMax) {
                starts.add(tooLarge(topic, message));
                continue;
            }
            message.json(settings.format())
                    .ifPresentOrElse(content -> batch.add(message, content), () -> starts.add(refused(topic, message)));
        }
        batch.end();
        return starts;
    }

    /** The messages that the next run gets. */
    private final class Batch {
        private final UUID topic;
        private final List<NewStart> starts;
        private final List<Message> messages = new ArrayList<>();
        private final List<JsonValue> contents = new ArrayList<>();
        private int chars;

        Batch(UUID topic, List<NewStart> starts) {
            this.topic = topic;
            this.starts = starts;
        }

        void add(Message message, JsonValue content) {
            int length = content.text().length();
            if (chars + length > batchCharsMax) {
                end();
            }
            messages.add(message);
            contents.add(content);
            chars += length;
            if (messages.size() == settings.batchMax().orElse(1)) {
                end();
            }
        }

        void end() {
            if (!messages.isEmpty()) {
                starts.add(start(topic, messages.getFirst(), contents));
            }
            messages.clear();
            contents.clear();
            chars = 0;
        }
    }

    private NewStart start(UUID topic, Message first, List<JsonValue> contents) {
        JsonValue fixed = JsonValue.of(trigger.spec().run().input());
        JsonValue input = settings.batchMax().isPresent()
                ? EventInput.of(fixed, "messages", EventInput.array(contents))
                : EventInput.of(fixed, "message", contents.getFirst());
        return NewStart.of(trigger, ids.get(), name(topic, first), first.time(), Optional.of(input.json()));
    }

    /** Messages of a batch that is too long to be read, from this offset on. They start nothing, which is noted. */
    NewStart skipped(UUID topic, SkippedBatch batch, long first) {
        return refused(
                name(topic, batch.topic(), batch.partition(), first), WallClock.now(), batch.reason(first, "triggers"));
    }

    private NewStart tooLarge(UUID topic, Message message) {
        return refused(
                name(topic, message),
                message.time(),
                "The message at offset " + message.offset() + " of partition " + message.partition() + " of the topic "
                        + message.topic() + " has " + message.bytes() + " bytes, and inputs have at most "
                        + messageBytesMax + ": let it name where its data are.");
    }

    private NewStart refused(UUID topic, Message message) {
        return refused(
                name(topic, message),
                message.time(),
                "The message at offset " + message.offset() + " of partition " + message.partition() + " of the topic "
                        + message.topic() + " is not "
                        + (settings.format() == ContentFormat.JSON
                                ? "a key in UTF-8 with a value in JSON"
                                : settings.format().phrase())
                        + ".");
    }

    private NewStart refused(String name, Instant time, String reason) {
        return NewStart.none(trigger, ids.get(), name, time, StartState.REFUSED, reason);
    }

    /** The last parts have room beside the longest name of a topic. */
    private static String name(UUID topic, Message message) {
        return name(topic, message.topic(), message.partition(), message.offset());
    }

    private static String name(UUID topic, String name, int partition, long offset) {
        String place = "/" + partition + "/" + offset + " " + topic;
        int room = NewStart.OCCURRENCE_LENGTH_MAX - place.length();
        return name.substring(0, Math.min(name.length(), room)) + place;
    }
}
