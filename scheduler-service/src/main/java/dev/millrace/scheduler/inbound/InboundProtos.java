package dev.millrace.scheduler.inbound;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.trigger.v1.EventSource;
import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.MqttSource;
import dev.millrace.proto.trigger.v1.PostgresSource;
import dev.millrace.proto.trigger.v1.Trigger.SourceCase;
import dev.millrace.proto.trigger.v1.TriggerChange;
import dev.millrace.proto.trigger.v1.TriggerEvent;
import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.eventtrigger.EventTriggerProtos;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.kafka.KafkaProtos;
import dev.millrace.scheduler.mqtt.MqttProtos;
import dev.millrace.scheduler.postgres.PostgresProtos;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.submission.RunTemplate;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerKind;
import dev.millrace.scheduler.trigger.TriggerSpec;
import dev.millrace.scheduler.trigger.TriggerStart;
import dev.millrace.scheduler.trigger.TriggerVersion;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.scheduler.webhook.WebhookProtos;

/** Reads and writes messages about triggers. */
final class InboundProtos {
    private static final String EXPECTED = "webhook, event, kafka, postgres or mqtt";

    private InboundProtos() {}

    static TriggerKind kind(Kind kind) {
        return switch (kind) {
            case KIND_WEBHOOK -> TriggerKind.WEBHOOK;
            case KIND_EVENT -> TriggerKind.EVENT;
            case KIND_KAFKA -> TriggerKind.KAFKA;
            case KIND_POSTGRES -> TriggerKind.POSTGRES;
            case KIND_MQTT -> TriggerKind.MQTT;
            case KIND_UNSPECIFIED, UNRECOGNIZED ->
                throw MillraceException.invalid("kind", "is missing (expected: " + EXPECTED + ")");
        };
    }

    static TriggerKind kind(SourceCase source) {
        return switch (source) {
            case WEBHOOK -> TriggerKind.WEBHOOK;
            case EVENT -> TriggerKind.EVENT;
            case KAFKA -> TriggerKind.KAFKA;
            case POSTGRES -> TriggerKind.POSTGRES;
            case MQTT -> TriggerKind.MQTT;
            case SOURCE_NOT_SET ->
                throw MillraceException.invalid("trigger", "has no source (expected: " + EXPECTED + ")");
        };
    }

    /** What a message says of a trigger, checked. */
    static TriggerSpec spec(String path, dev.millrace.proto.trigger.v1.Trigger given) {
        Violations violations = new Violations();
        violations.require(
                ReferencePath.isValid(path), "path", "\"" + path + "\" (expected: " + ReferencePath.EXPECTED + ")");
        int length = given.getDescription().length();
        violations.require(
                length <= Triggers.DESCRIPTION_LENGTH_MAX
                        && given.getDescription().indexOf('\0') < 0,
                "description",
                length + " characters (expected: at most " + Triggers.DESCRIPTION_LENGTH_MAX + ", none of them NUL)");
        violations.require(!given.getRun().hasRunAfter(), "run.run_after", "is no option of what a trigger starts");
        violations.throwIfAny();
        return new TriggerSpec(RunTemplate.of(given.getRun()), settings(given), given.getDescription());
    }

    private static ByteString settings(dev.millrace.proto.trigger.v1.Trigger given) {
        return switch (kind(given.getSourceCase())) {
            case WEBHOOK -> WebhookProtos.stored(given.getWebhook());
            case EVENT -> EventTriggerProtos.stored(given.getEvent());
            case KAFKA -> KafkaProtos.stored(given.getKafka());
            case POSTGRES -> PostgresProtos.stored(given.getPostgres());
            case MQTT -> MqttProtos.stored(given.getMqtt());
            case SCHEDULE -> throw new IllegalArgumentException("no event from outside");
        };
    }

    static dev.millrace.proto.trigger.v1.Trigger message(Trigger trigger) {
        var message = dev.millrace.proto.trigger.v1.Trigger.newBuilder()
                .setPath(trigger.key().path())
                .setRun(trigger.spec().run().spec())
                .setDescription(trigger.spec().description())
                .setVersion(trigger.version())
                .setActor(trigger.actor())
                .setCreateTime(TimeProtos.timestamp(trigger.createdAt()))
                .setChangeTime(TimeProtos.timestamp(trigger.changedAt()))
                .setFlow(trigger.flow().orElse(""));
        trigger.pausedAt().ifPresent(time -> message.setPauseTime(TimeProtos.timestamp(time)));
        try {
            ByteString settings = trigger.spec().settings();
            return switch (trigger.key().kind()) {
                case WEBHOOK ->
                    message.setWebhook(WebhookSource.parseFrom(settings)).build();
                case EVENT -> message.setEvent(EventSource.parseFrom(settings)).build();
                case KAFKA -> message.setKafka(KafkaSource.parseFrom(settings)).build();
                case POSTGRES ->
                    message.setPostgres(PostgresSource.parseFrom(settings)).build();
                case MQTT -> message.setMqtt(MqttSource.parseFrom(settings)).build();
                case SCHEDULE -> throw new IllegalArgumentException("no event from outside");
            };
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a trigger are no message of its kind", damaged);
        }
    }

    static TriggerEvent event(TriggerStart start) {
        return TriggerEvent.newBuilder()
                .setOccurrence(start.occurrence())
                .setState(state(start.state()))
                .setRunId(start.run().map(RunId::toString).orElse(""))
                .setReason(start.reason())
                .setTime(TimeProtos.timestamp(start.occurredAt()))
                .build();
    }

    private static TriggerEvent.State state(StartState state) {
        return switch (state) {
            case WAITING, CLAIMED -> TriggerEvent.State.STATE_PENDING;
            case STARTED -> TriggerEvent.State.STATE_STARTED;
            case REFUSED -> TriggerEvent.State.STATE_REFUSED;
            case SKIPPED, MISSED -> TriggerEvent.State.STATE_SKIPPED;
        };
    }

    static TriggerChange change(TriggerVersion version) {
        return TriggerChange.newBuilder()
                .setVersion(version.version())
                .setChange(version.change())
                .setActor(version.actor())
                .setTime(TimeProtos.timestamp(version.changedAt()))
                .build();
    }
}
