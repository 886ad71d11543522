package dev.millrace.gateway.trigger;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.run.RunSpecJson;
import dev.millrace.gateway.run.Submissions;
import dev.millrace.proto.trigger.v1.EventSource;
import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.proto.trigger.v1.MqttSource;
import dev.millrace.proto.trigger.v1.PostgresSource;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerChange;
import dev.millrace.proto.trigger.v1.TriggerEvent;
import dev.millrace.proto.trigger.v1.WebhookSource;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Converts triggers between JSON and messages. */
final class TriggerJson {

    private static final String SCHEME = "SCHEME_";
    private static final String PART = "PART_";
    private static final String START = "START_";
    private static final String FORMAT = "FORMAT_";
    private static final String RETAINED = "RETAINED_";

    private static final JsonFields<WebhookSource.Builder> WEBHOOK = new JsonFields<WebhookSource.Builder>()
            .required("scheme", (json, hook) -> hook.setScheme(name(json, WebhookSource.Scheme.class, SCHEME)))
            .required("secrets", (json, hook) -> json.items(() -> hook.addSecrets(json.text())))
            .field("header", (json, hook) -> hook.setHeader(json.text()))
            .field("user", (json, hook) -> hook.setUser(json.text()))
            .field("window", (json, hook) -> hook.setWindow(json.duration()))
            .field("deduplicate", (json, hook) -> hook.setDeduplicate(json.text()))
            .field("parts", (json, hook) -> json.items(() -> hook.addParts(name(json, WebhookSource.Part.class, PART))))
            .field("body_bytes_max", (json, hook) -> hook.setBodyBytesMax(json.integer()))
            .field("wait", (json, hook) -> hook.setWait(json.duration()))
            .field("success_status", (json, hook) -> hook.setSuccessStatus(json.integer()))
            .field("failure_status", (json, hook) -> hook.setFailureStatus(json.integer()));

    private static final JsonFields<EventSource.Builder> EVENT = new JsonFields<EventSource.Builder>()
            .required("types", (json, event) -> json.items(() -> event.addTypes(json.text())))
            .field("folder", (json, event) -> event.setFolder(json.text()))
            .field("path", (json, event) -> event.setPath(json.text()))
            .field("event_input", (json, event) -> event.setEventInput(json.text()));

    private static final JsonFields<KafkaSource.Builder> KAFKA = new JsonFields<KafkaSource.Builder>()
            .required("connection", (json, kafka) -> kafka.setConnection(json.text()))
            .required("topics", (json, kafka) -> json.items(() -> kafka.addTopics(json.text())))
            .field("group", (json, kafka) -> kafka.setGroup(json.text()))
            .field("start", (json, kafka) -> kafka.setStart(name(json, KafkaSource.Start.class, START)))
            .field("format", (json, kafka) -> kafka.setFormat(name(json, KafkaSource.Format.class, FORMAT)))
            .field("batch_max", (json, kafka) -> kafka.setBatchMax(json.integer()))
            .field("batch_wait", (json, kafka) -> kafka.setBatchWait(json.duration()));

    private static final JsonFields<PostgresSource.Builder> POSTGRES = new JsonFields<PostgresSource.Builder>()
            .required("connection", (json, postgres) -> postgres.setConnection(json.text()))
            .field("table", (json, postgres) -> postgres.setTable(json.text()))
            .field("column", (json, postgres) -> postgres.setColumn(json.text()))
            .field("channel", (json, postgres) -> postgres.setChannel(json.text()))
            .field("interval", (json, postgres) -> postgres.setInterval(json.duration()))
            .field("batch_max", (json, postgres) -> postgres.setBatchMax(json.integer()))
            .field("start", (json, postgres) -> postgres.setStart(name(json, PostgresSource.Start.class, START)));

    private static final JsonFields<MqttSource.Builder> MQTT = new JsonFields<MqttSource.Builder>()
            .required("connection", (json, mqtt) -> mqtt.setConnection(json.text()))
            .required("topics", (json, mqtt) -> json.items(() -> mqtt.addTopics(json.text())))
            .field("qos", (json, mqtt) -> mqtt.setQos(json.integer()))
            .field("format", (json, mqtt) -> mqtt.setFormat(name(json, MqttSource.Format.class, FORMAT)))
            .field("deduplicate", (json, mqtt) -> mqtt.setDeduplicate(json.text()))
            .field("retained", (json, mqtt) -> mqtt.setRetained(name(json, MqttSource.Retained.class, RETAINED)))
            .field("client_id", (json, mqtt) -> mqtt.setClientId(json.text()))
            .field("session_expiry", (json, mqtt) -> mqtt.setSessionExpiry(json.duration()))
            .field("batch_max", (json, mqtt) -> mqtt.setBatchMax(json.integer()))
            .field("batch_wait", (json, mqtt) -> mqtt.setBatchWait(json.duration()));

    static final JsonFields<Trigger.Builder> FIELDS = new JsonFields<Trigger.Builder>()
            .required("run", (json, trigger) -> json.object(Submissions.ONE, trigger.getRunBuilder()))
            .field("description", (json, trigger) -> trigger.setDescription(json.text()))
            .field("webhook", (json, trigger) -> json.object(WEBHOOK, trigger.getWebhookBuilder()))
            .field("event", (json, trigger) -> json.object(EVENT, trigger.getEventBuilder()))
            .field("kafka", (json, trigger) -> json.object(KAFKA, trigger.getKafkaBuilder()))
            .field("postgres", (json, trigger) -> json.object(POSTGRES, trigger.getPostgresBuilder()))
            .field("mqtt", (json, trigger) -> json.object(MQTT, trigger.getMqttBuilder()));

    private TriggerJson() {}

    private static <E extends Enum<E>> E name(JsonReader json, Class<E> type, String prefix) throws IOException {
        var name = json.text();
        return EnumNames.parse(type, prefix, name)
                .orElseThrow(() -> json.wrong("is \"" + name + "\" (expected: " + EnumNames.known(type, prefix) + ")"));
    }

    static void write(JsonWriter json, Trigger trigger) {
        json.text("path", trigger.getPath());
        json.text("kind", trigger.getSourceCase().name().toLowerCase(Locale.ROOT));
        json.text("description", trigger.getDescription());
        json.object("run", run -> RunSpecJson.write(run, trigger.getRun()));
        switch (trigger.getSourceCase()) {
            case WEBHOOK -> json.object("webhook", hook -> write(hook, trigger.getWebhook()));
            case EVENT -> json.object("event", event -> write(event, trigger.getEvent()));
            case KAFKA -> json.object("kafka", kafka -> write(kafka, trigger.getKafka()));
            case POSTGRES -> json.object("postgres", postgres -> write(postgres, trigger.getPostgres()));
            case MQTT -> json.object("mqtt", mqtt -> write(mqtt, trigger.getMqtt()));
            case SOURCE_NOT_SET -> {}
        }
        json.integer("version", trigger.getVersion());
        json.flag("paused", trigger.hasPauseTime());
        if (trigger.hasPauseTime()) {
            json.time("pause_time", trigger.getPauseTime());
        }
        json.text("actor", trigger.getActor());
        json.optionalText("flow", trigger.getFlow());
        json.optionalText("problem", trigger.getProblem());
        json.time("create_time", trigger.getCreateTime());
        json.time("update_time", trigger.getChangeTime());
    }

    private static void write(JsonWriter json, WebhookSource hook) {
        json.text("scheme", EnumNames.json(hook.getScheme(), SCHEME));
        json.texts("secrets", hook.getSecretsList());
        json.optionalText("header", hook.getHeader());
        json.optionalText("user", hook.getUser());
        if (hook.hasWindow()) {
            json.duration("window", hook.getWindow());
        }
        json.optionalText("deduplicate", hook.getDeduplicate());
        if (hook.getPartsCount() > 0) {
            json.texts("parts", names(hook.getPartsList(), PART));
        }
        optionalInteger(json, "body_bytes_max", hook.getBodyBytesMax());
        if (hook.hasWait()) {
            json.duration("wait", hook.getWait());
        }
        optionalInteger(json, "success_status", hook.getSuccessStatus());
        optionalInteger(json, "failure_status", hook.getFailureStatus());
    }

    private static void write(JsonWriter json, EventSource event) {
        json.texts("types", event.getTypesList());
        json.optionalText("folder", event.getFolder());
        json.optionalText("path", event.getPath());
        json.optionalText("event_input", event.getEventInput());
    }

    private static void write(JsonWriter json, KafkaSource kafka) {
        json.text("connection", kafka.getConnection());
        json.texts("topics", kafka.getTopicsList());
        json.optionalText("group", kafka.getGroup());
        if (kafka.getStart() != KafkaSource.Start.START_UNSPECIFIED) {
            json.text("start", EnumNames.json(kafka.getStart(), START));
        }
        if (kafka.getFormat() != KafkaSource.Format.FORMAT_UNSPECIFIED) {
            json.text("format", EnumNames.json(kafka.getFormat(), FORMAT));
        }
        optionalInteger(json, "batch_max", kafka.getBatchMax());
        if (kafka.hasBatchWait()) {
            json.duration("batch_wait", kafka.getBatchWait());
        }
    }

    private static void write(JsonWriter json, PostgresSource postgres) {
        json.text("connection", postgres.getConnection());
        json.optionalText("table", postgres.getTable());
        json.optionalText("column", postgres.getColumn());
        json.optionalText("channel", postgres.getChannel());
        if (postgres.hasInterval()) {
            json.duration("interval", postgres.getInterval());
        }
        optionalInteger(json, "batch_max", postgres.getBatchMax());
        if (postgres.getStart() != PostgresSource.Start.START_UNSPECIFIED) {
            json.text("start", EnumNames.json(postgres.getStart(), START));
        }
    }

    private static void write(JsonWriter json, MqttSource mqtt) {
        json.text("connection", mqtt.getConnection());
        json.texts("topics", mqtt.getTopicsList());
        if (mqtt.hasQos()) {
            json.integer("qos", mqtt.getQos());
        }
        if (mqtt.getFormat() != MqttSource.Format.FORMAT_UNSPECIFIED) {
            json.text("format", EnumNames.json(mqtt.getFormat(), FORMAT));
        }
        json.optionalText("deduplicate", mqtt.getDeduplicate());
        if (mqtt.getRetained() != MqttSource.Retained.RETAINED_UNSPECIFIED) {
            json.text("retained", EnumNames.json(mqtt.getRetained(), RETAINED));
        }
        json.optionalText("client_id", mqtt.getClientId());
        if (mqtt.hasSessionExpiry()) {
            json.duration("session_expiry", mqtt.getSessionExpiry());
        }
        optionalInteger(json, "batch_max", mqtt.getBatchMax());
        if (mqtt.hasBatchWait()) {
            json.duration("batch_wait", mqtt.getBatchWait());
        }
    }

    static void write(JsonWriter json, TriggerEvent event) {
        json.text("occurrence", event.getOccurrence());
        json.text("state", EnumNames.json(event.getState(), "STATE_"));
        json.optionalText("run_id", event.getRunId());
        json.optionalText("reason", event.getReason());
        json.time("time", event.getTime());
    }

    static void write(JsonWriter json, TriggerChange change) {
        json.integer("version", change.getVersion());
        json.text("change", change.getChange());
        json.text("actor", change.getActor());
        json.time("time", change.getTime());
    }

    private static void optionalInteger(JsonWriter json, String name, int value) {
        if (value != 0) {
            json.integer(name, value);
        }
    }

    private static List<String> names(List<? extends Enum<?>> values, String prefix) {
        return values.stream().map(value -> EnumNames.json(value, prefix)).toList();
    }
}
