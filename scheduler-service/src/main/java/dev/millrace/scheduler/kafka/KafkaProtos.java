package dev.millrace.scheduler.kafka;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads messages about triggers of Kafka. */
public final class KafkaProtos {
    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");
    private static final int GROUP_LENGTH_MAX = 200;

    private KafkaProtos() {}

    /**
     * The settings to store.
     *
     * @throws dev.millrace.scheduler.error.MillraceException if they break a rule
     */
    public static ByteString stored(KafkaSource source) {
        Violations violations = new Violations();
        check(source, violations);
        violations.throwIfAny();
        return source.toByteString();
    }

    /** Checks settings, and adds what is wrong with them to the violations, below {@code kafka}. */
    static void check(KafkaSource source, Violations violations) {
        int topics = source.getTopicsCount();
        violations.require(
                topics >= 1
                        && topics <= KafkaSettings.TOPICS_MAX
                        && source.getTopicsList().stream()
                                .allMatch(topic -> TOPIC.matcher(topic).matches()),
                "kafka.topics",
                "\"" + String.join(", ", source.getTopicsList()) + "\" (expected: 1 to " + KafkaSettings.TOPICS_MAX
                        + " names of topics)");
        violations.require(
                source.getGroup().length() <= GROUP_LENGTH_MAX
                        && source.getGroup().chars().noneMatch(Character::isISOControl),
                "kafka.group",
                source.getGroup().length() + " characters (expected: at most " + GROUP_LENGTH_MAX
                        + ", none of them a control character)");
        violations.require(
                source.getStart() != KafkaSource.Start.UNRECOGNIZED,
                "kafka.start",
                "is unknown (expected: earliest or latest)");
        violations.require(
                source.getFormat() != KafkaSource.Format.UNRECOGNIZED,
                "kafka.format",
                "is unknown (expected: json, text or base64)");
        violations.require(
                source.getBatchMax() >= 0 && source.getBatchMax() <= KafkaSettings.BATCH_MAX,
                "kafka.batch_max",
                source.getBatchMax() + " (expected: 1 to " + KafkaSettings.BATCH_MAX + ")");
        Duration wait = violations
                .collect("kafka.batch_wait", () -> TimeProtos.duration(source.getBatchWait()))
                .orElse(Duration.ZERO);
        violations.require(
                !wait.isNegative()
                        && wait.compareTo(KafkaSettings.BATCH_WAIT_MAX) <= 0
                        && (wait.isZero() || source.getBatchMax() > 0),
                "kafka.batch_wait",
                Durations.text(wait) + " (expected: at most " + Durations.text(KafkaSettings.BATCH_WAIT_MAX)
                        + ", for a trigger with batch_max)");
    }

    /** The settings as they were stored. */
    static KafkaSettings settings(ByteString stored, TriggerKey key) {
        try {
            KafkaSource source = KafkaSource.parseFrom(stored);
            return new KafkaSettings(
                    source.getConnection(),
                    source.getTopicsList(),
                    source.getGroup().isEmpty()
                            ? "millrace." + key.workspace() + "." + key.path().replace('/', '.')
                            : source.getGroup(),
                    source.getStart() == KafkaSource.Start.START_LATEST,
                    switch (source.getFormat()) {
                        case FORMAT_UNSPECIFIED, FORMAT_JSON, UNRECOGNIZED -> ContentFormat.JSON;
                        case FORMAT_TEXT -> ContentFormat.TEXT;
                        case FORMAT_BASE64 -> ContentFormat.BASE64;
                    },
                    source.getBatchMax() == 0 ? Optional.empty() : Optional.of(source.getBatchMax()),
                    source.hasBatchWait() ? TimeProtos.duration(source.getBatchWait()) : Duration.ZERO);
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a trigger are no message of its kind", damaged);
        }
    }
}
