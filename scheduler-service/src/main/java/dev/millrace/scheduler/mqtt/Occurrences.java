package dev.millrace.scheduler.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.mqtt.core.Arrival;
import dev.millrace.scheduler.mqtt.core.MessageJson;
import dev.millrace.scheduler.mqtt.core.MessageProperties;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.core.EventInput;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes occurrences of messages for one trigger. */
final class Occurrences {
    /** Longest part of a topic in the name of an occurrence, in characters. */
    private static final int TOPIC_LENGTH_MAX = 200;

    private final Trigger trigger;
    private final MqttSettings settings;
    private final int messageBytesMax;
    private final int batchCharsMax;
    private final Supplier<RunId> ids;

    /**
     * @param messageBytesMax largest message that is read
     * @param batchCharsMax longest JSON of a batch of several messages
     */
    Occurrences(Trigger trigger, MqttSettings settings, int messageBytesMax, int batchCharsMax, Supplier<RunId> ids) {
        this.trigger = trigger;
        this.settings = settings;
        this.messageBytesMax = messageBytesMax;
        this.batchCharsMax = batchCharsMax;
        this.ids = ids;
    }

    /** Whether a message is for the trigger: of a topic that it wants, and not one that it skips. */
    boolean isWanted(Arrival.Sent sent) {
        return !(settings.skipsRetained() && sent.head().isRetained())
                && settings.topics().stream()
                        .anyMatch(filter -> filter.matches(sent.head().topic()));
    }

    /** What messages start that are for the trigger. One that cannot be used starts nothing, which is noted. */
    List<NewStart> of(List<Arrival.Sent> messages) {
        Batch batch = new Batch();
        for (Arrival.Sent sent : messages) {
            switch (sent) {
                case Arrival.Message message ->
                    MessageJson.of(message, settings.format())
                            .ifPresentOrElse(
                                    content -> batch.add(message, content),
                                    () -> batch.starts.add(unreadable(message)));
                case Arrival.TooLarge(Arrival.Head head, int bytes) ->
                    batch.starts.add(refused(
                            head,
                            "The message has " + bytes + " bytes, and triggers read messages of at most "
                                    + messageBytesMax + " bytes and " + MessageProperties.USER_MAX
                                    + " user properties. Let its sender send smaller ones."));
                case Arrival.NotText(Arrival.Head head) ->
                    batch.starts.add(
                            refused(
                                    head,
                                    "The topic, the content type, the response topic or a user property of the message is not UTF-8, as"
                                            + " MQTT requires. Let its sender encode texts in UTF-8, and send other bytes in the payload."));
            }
        }
        batch.end();
        return List.copyOf(batch.starts);
    }

    /** The messages that the next run gets. */
    private final class Batch {
        private final List<NewStart> starts = new ArrayList<>();
        private final List<JsonValue> contents = new ArrayList<>();
        private Optional<Arrival.Message> first = Optional.empty();
        private int chars;

        void add(Arrival.Message message, JsonValue content) {
            int length = content.text().length();
            if (chars + length > batchCharsMax) {
                end();
            }
            first = first.or(() -> Optional.of(message));
            contents.add(content);
            chars += length;
            if (contents.size() == settings.batchMax().orElse(1)) {
                end();
            }
        }

        void end() {
            first.ifPresent(message -> starts.add(start(message, contents)));
            first = Optional.empty();
            contents.clear();
            chars = 0;
        }
    }

    private NewStart start(Arrival.Message first, List<JsonValue> contents) {
        JsonValue fixed = JsonValue.of(trigger.spec().run().input());
        JsonValue input = settings.batchMax().isPresent()
                ? EventInput.of(fixed, "messages", EventInput.array(contents))
                : EventInput.of(fixed, "message", contents.getFirst());
        RunId id = ids.get();
        String topic = first.head().topic();
        String name = settings.deduplicate()
                .key(first)
                .map(key -> named(topic, key))
                .orElseGet(() -> shortened(topic) + " " + id);
        return NewStart.of(trigger, id, name, WallClock.now(), Optional.of(input.json()));
    }

    private NewStart unreadable(Arrival.Message message) {
        return refused(
                message.head(),
                "The payload of the message is not " + settings.format().phrase() + ".");
    }

    private NewStart refused(Arrival.Head head, String reason) {
        RunId id = ids.get();
        return NewStart.none(
                trigger, id, shortened(head.topic()) + " " + id, WallClock.now(), StartState.REFUSED, reason);
    }

    /** Tells that messages may be lost. */
    NewStart gap(Instant since, Instant until) {
        RunId id = ids.get();
        return NewStart.none(
                trigger,
                id,
                "gap " + id,
                until,
                StartState.MISSED,
                "The broker has forgotten the session of the trigger. Messages that it had not delivered, and those that were sent between "
                        + since + " and " + until
                        + ", started nothing: let it keep sessions for longer, also when it starts again.");
    }

    /** The same for messages of the same topic and key. */
    private static String named(String topic, String key) {
        String name = plain(topic) + " key " + plain(key);
        boolean isPlain = name.length() <= NewStart.OCCURRENCE_LENGTH_MAX
                && plain(topic).equals(topic)
                && plain(key).equals(key);
        return isPlain ? name : shortened(topic) + " key " + sha256(topic + "\0" + key);
    }

    private static String shortened(String topic) {
        String plain = plain(topic);
        return plain.substring(0, Math.min(plain.length(), TOPIC_LENGTH_MAX));
    }

    /** Names have no control characters, and no halves of characters. */
    private static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
