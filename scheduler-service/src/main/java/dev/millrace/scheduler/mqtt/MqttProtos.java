package dev.millrace.scheduler.mqtt;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.trigger.v1.MqttSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.mqtt.core.Deduplication;
import dev.millrace.scheduler.mqtt.core.TopicFilter;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads messages about triggers of MQTT. */
public final class MqttProtos {
    private static final int DEDUPLICATE_LENGTH_MAX = 200;

    private MqttProtos() {}

    /**
     * The settings to store.
     *
     * @throws dev.millrace.scheduler.error.MillraceException if they break a rule
     */
    public static ByteString stored(MqttSource source) {
        Violations violations = new Violations();
        check(source, violations);
        violations.throwIfAny();
        return source.toByteString();
    }

    /** Checks settings, and adds what is wrong with them to the violations, below {@code mqtt}. */
    static void check(MqttSource source, Violations violations) {
        checkTopics(source.getTopicsList(), violations);
        violations.require(
                source.getQos() >= 0 && source.getQos() <= 2, "mqtt.qos", source.getQos() + " (expected: 0, 1 or 2)");
        violations.require(
                source.getFormat() != MqttSource.Format.UNRECOGNIZED,
                "mqtt.format",
                "is unknown (expected: json, text or base64)");
        violations.require(
                source.getRetained() != MqttSource.Retained.UNRECOGNIZED,
                "mqtt.retained",
                "is unknown (expected: take or skip)");
        checkDeduplicate(source, violations);
        violations.require(
                source.getClientId().length() <= MqttSettings.CLIENT_ID_LENGTH_MAX
                        && source.getClientId().chars().noneMatch(Character::isISOControl),
                "mqtt.client_id",
                source.getClientId().length() + " characters (expected: at most " + MqttSettings.CLIENT_ID_LENGTH_MAX
                        + ", none of them a control character)");
        Duration expiry = violations
                .collect("mqtt.session_expiry", () -> TimeProtos.duration(source.getSessionExpiry()))
                .orElse(Duration.ZERO);
        violations.require(
                !expiry.isNegative() && expiry.compareTo(MqttSettings.SESSION_EXPIRY_MAX) <= 0,
                "mqtt.session_expiry",
                Durations.text(expiry) + " (expected: at most " + Durations.text(MqttSettings.SESSION_EXPIRY_MAX)
                        + ")");
        violations.require(
                source.getBatchMax() >= 0 && source.getBatchMax() <= MqttSettings.BATCH_MAX,
                "mqtt.batch_max",
                source.getBatchMax() + " (expected: 1 to " + MqttSettings.BATCH_MAX + ")");
        Duration wait = violations
                .collect("mqtt.batch_wait", () -> TimeProtos.duration(source.getBatchWait()))
                .orElse(Duration.ZERO);
        violations.require(
                !wait.isNegative()
                        && wait.compareTo(MqttSettings.BATCH_WAIT_MAX) <= 0
                        && (wait.isZero() || source.getBatchMax() > 0),
                "mqtt.batch_wait",
                Durations.text(wait) + " (expected: at most " + Durations.text(MqttSettings.BATCH_WAIT_MAX)
                        + ", for a trigger with batch_max)");
    }

    private static void checkTopics(List<String> topics, Violations violations) {
        violations.require(
                !topics.isEmpty() && topics.size() <= MqttSettings.TOPICS_MAX,
                "mqtt.topics",
                topics.size() + " filters (expected: 1 to " + MqttSettings.TOPICS_MAX + ")");
        for (int index = 0; index < topics.size(); index++) {
            String field = "mqtt.topics[" + index + "]";
            TopicFilter filter = new TopicFilter(topics.get(index));
            Optional<String> problem = TopicFilter.problem(filter.text());
            problem.ifPresent(clause -> violations.add(field, "\"" + filter.text() + "\": " + clause));
            if (problem.isEmpty()) {
                topics.stream()
                        .limit(index)
                        .filter(other ->
                                TopicFilter.problem(other).isEmpty() && new TopicFilter(other).overlaps(filter))
                        .findFirst()
                        .ifPresent(other -> violations.add(
                                field,
                                "\"" + filter.text() + "\" has topics in common with \"" + other
                                        + "\", so that a message could come twice: use a trigger for each"));
            }
        }
    }

    private static void checkDeduplicate(MqttSource source, Violations violations) {
        String text = source.getDeduplicate();
        Optional<Deduplication> read =
                text.length() > DEDUPLICATE_LENGTH_MAX ? Optional.empty() : Deduplication.parse(text);
        violations.require(
                read.isPresent(),
                "mqtt.deduplicate",
                "\"" + text + "\" (expected: payload:NAME.NAME, property:NAME or off)");
        boolean isOn = read.filter(by -> !(by instanceof Deduplication.Off)).isPresent();
        violations.require(
                !isOn || source.getBatchMax() == 0,
                "mqtt.deduplicate",
                "needs a run for each message, so it goes without batch_max");
    }

    /** The settings as they were stored. */
    static MqttSettings settings(ByteString stored) {
        try {
            MqttSource source = MqttSource.parseFrom(stored);
            return new MqttSettings(
                    source.getConnection(),
                    source.getTopicsList().stream().map(TopicFilter::new).toList(),
                    source.hasQos() ? source.getQos() : MqttSettings.QOS_DEFAULT,
                    switch (source.getFormat()) {
                        case FORMAT_UNSPECIFIED, FORMAT_JSON, UNRECOGNIZED -> ContentFormat.JSON;
                        case FORMAT_TEXT -> ContentFormat.TEXT;
                        case FORMAT_BASE64 -> ContentFormat.BASE64;
                    },
                    Deduplication.parse(source.getDeduplicate()).orElseThrow(),
                    source.getRetained() == MqttSource.Retained.RETAINED_SKIP,
                    source.getClientId().isEmpty() ? Optional.empty() : Optional.of(source.getClientId()),
                    source.hasSessionExpiry()
                            ? TimeProtos.duration(source.getSessionExpiry())
                            : MqttSettings.SESSION_EXPIRY_DEFAULT,
                    source.getBatchMax() == 0 ? Optional.empty() : Optional.of(source.getBatchMax()),
                    source.hasBatchWait() ? TimeProtos.duration(source.getBatchWait()) : Duration.ZERO);
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a trigger are no message of its kind", damaged);
        }
    }
}
