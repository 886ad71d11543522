package dev.millrace.scheduler.mqtt;

import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.secret.v1.PutResourceRequest;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.trigger.v1.DeleteTriggerRequest;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.ListTriggerEventsRequest;
import dev.millrace.proto.trigger.v1.MqttSource;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerEvent;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests over gRPC, with two schedulers and a broker that does what a test says. */
class MqttTriggersTest {
    private static final int AT_LEAST_ONCE = 2;
    private static final int EXACTLY_ONCE = 4;
    private static final int RETAINED = 1;
    private static final int REPEATED = 8;

    @RegisterExtension
    private static final RunningScheduler SCHEDULER =
            new RunningScheduler(config -> config.withTrigger(new TriggerConfig(true)));

    private static final java.time.Duration PATIENCE = java.time.Duration.ofSeconds(60);
    private static final java.time.Duration PAUSE = java.time.Duration.ofMillis(20);

    private final TriggerServiceGrpc.TriggerServiceBlockingStub triggers =
            TriggerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @BeforeAll
    static void deploy() {
        var _ = SCHEDULER.another();
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: shop/take
                                inputs:
                                  message: {type: object, default: {}}
                                  messages: {type: array, default: []}
                                steps:
                                  - {id: a, value: 1}
                                """))
                        .build());
    }

    @Test
    void eachMessageStartsARunBeforeItIsAcknowledged() throws IOException, InterruptedException {
        try (FakeBroker broker = new FakeBroker(true)) {
            connect("shop/each", broker);
            put(
                    "each/one",
                    source("shop/each")
                            .addTopics("plant/+/temp")
                            .addTopics("$share/g/a/#")
                            .setQos(2));
            Socket client = broker.client();
            assertThat(broker.filters()).containsExactly("2 plant/+/temp", "2 $share/g/a/#");

            publish(broker, client, AT_LEAST_ONCE, 3, "plant/7/temp", "{\"c\":21}");
            assertThat(broker.heard()).isEqualTo("PUBACK 3");
            List<TriggerEvent> first = history("each/one", found -> settled(found, 1));
            assertThat(member(first.getFirst(), "message"))
                    .isEqualTo("{\"topic\":\"plant/7/temp\",\"levels\":[\"plant\",\"7\",\"temp\"],\"qos\":1,"
                            + "\"retained\":false,\"repeated\":false,\"payload\":{\"c\":21},\"properties\":{}}");

            publish(broker, client, EXACTLY_ONCE, 3, "a/b", "1");
            assertThat(broker.heard()).isEqualTo("PUBREC 3");
            publish(broker, client, EXACTLY_ONCE | REPEATED, 3, "a/b", "1");
            assertThat(broker.heard()).isEqualTo("PUBREC 3");
            broker.release(client, 3);
            assertThat(broker.heard()).isEqualTo("PUBCOMP 3");
            publish(broker, client, EXACTLY_ONCE, 3, "a/b", "2");
            assertThat(broker.heard()).isEqualTo("PUBREC 3");
            assertThat(history("each/one", found -> settled(found, 3))).hasSize(3);

            publish(broker, client, AT_LEAST_ONCE, 4, "a/b", "no JSON");
            broker.publish(client, AT_LEAST_ONCE, 5, "a/b", new byte[MqttTriggers.MESSAGE_BYTES_MAX]);
            publish(broker, client, AT_LEAST_ONCE, 6, "b/c", "1");
            assertThat(List.of(broker.heard(), broker.heard(), broker.heard()))
                    .containsExactly("PUBACK 4", "PUBACK 5", "PUBACK 6");
            assertThat(history("each/one", found -> found.size() == 5))
                    .filteredOn(event -> event.getState() == TriggerEvent.State.STATE_REFUSED)
                    .extracting(TriggerEvent::getReason)
                    .satisfiesExactly(
                            large -> assertThat(large).startsWith("The message has 262152 bytes, "),
                            noJson -> assertThat(noJson).isEqualTo("The payload of the message is not JSON."));

            var _ = triggers.deleteTrigger(DeleteTriggerRequest.newBuilder()
                    .setKind(Kind.KIND_MQTT)
                    .setPath("each/one")
                    .build());
            assertThat(broker.heard()).isEqualTo("DISCONNECT");
        }
    }

    @Test
    void messagesShareARunAndAreNamedByTheirContents() throws IOException, InterruptedException {
        try (FakeBroker many = new FakeBroker(false);
                FakeBroker named = new FakeBroker(false)) {
            connect("shop/many", many, ", \"version\": \"3.1.1\"");
            connect("shop/named", named, ", \"version\": \"3.1.1\"");
            put(
                    "many/all",
                    source("shop/many")
                            .addTopics("#")
                            .setQos(0)
                            .setFormat(MqttSource.Format.FORMAT_TEXT)
                            .setBatchMax(2)
                            .setBatchWait(Duration.newBuilder().setSeconds(50)));
            put(
                    "many/named",
                    source("shop/named")
                            .addTopics("orders")
                            .setDeduplicate("payload:id")
                            .setRetained(MqttSource.Retained.RETAINED_SKIP));
            Socket toMany = many.client();
            Socket toNamed = named.client();

            publish(many, toMany, 0, 0, "a", "1");
            publish(many, toMany, 0, 0, "b", "2");
            TriggerEvent batch = history("many/all", found -> settled(found, 1)).getFirst();
            assertThat(JsonValue.of(member(batch, "messages")).elements())
                    .extracting(message -> message.members().getOrDefault("payload", JsonValue.NULL))
                    .containsExactly(JsonValue.ofString("1"), JsonValue.ofString("2"));

            publish(named, toNamed, AT_LEAST_ONCE, 1, "orders", "{\"id\":7}");
            publish(named, toNamed, AT_LEAST_ONCE | REPEATED, 1, "orders", "{\"id\":7}");
            publish(named, toNamed, AT_LEAST_ONCE | RETAINED, 2, "orders", "{\"id\":8}");
            publish(named, toNamed, AT_LEAST_ONCE, 3, "orders", "{\"id\":9}");
            assertThat(List.of(named.heard(), named.heard(), named.heard(), named.heard()))
                    .containsExactly("PUBACK 1", "PUBACK 1", "PUBACK 2", "PUBACK 3");
            assertThat(history("many/named", found -> settled(found, 2)))
                    .extracting(TriggerEvent::getOccurrence)
                    .containsExactly("orders key 9", "orders key 7");
        }
    }

    @Test
    void wrongSettingsAreRefused() throws IOException {
        try (FakeBroker broker = new FakeBroker(true)) {
            connect("shop/right", broker);
            var _ = resource("shop/wrong", "{\"url\": \"http://localhost\"}");
            assertThat(violated(source("shop/right")
                            .addTopics("a/#")
                            .addTopics("a/b")
                            .addTopics("a#")
                            .setQos(3)
                            .setDeduplicate("header:x")
                            .setSessionExpiry(Duration.newBuilder().setSeconds(-1))
                            .setBatchMax(1_001)
                            .setClientId("\n")))
                    .containsExactlyInAnyOrder(
                            "mqtt.topics[1]",
                            "mqtt.topics[2]",
                            "mqtt.qos",
                            "mqtt.deduplicate",
                            "mqtt.session_expiry",
                            "mqtt.batch_max",
                            "mqtt.client_id");
            assertThat(violated(source("shop/right"))).containsExactly("mqtt.topics");
            assertThat(violated(source("shop/wrong").addTopics("a"))).containsExactly("mqtt.connection");
        }
    }

    /** Takes some seconds, since listeners that have lost their broker wait before they come again. */
    @Test
    @Tag("nightly")
    void goesOnAfterALostConnectionAndTellsOfALostSession() throws IOException, InterruptedException {
        try (FakeBroker broker = new FakeBroker(true)) {
            connect("shop/lost", broker);
            put("lost/one", source("shop/lost").addTopics("a").setQos(2));
            Socket client = broker.client();
            publish(broker, client, EXACTLY_ONCE, 9, "a", "1");
            assertThat(broker.heard()).isEqualTo("PUBREC 9");
            assertThat(history("lost/one", found -> settled(found, 1))).hasSize(1);

            broker.keepsSession(true);
            client.close();
            Socket again = broker.client();
            publish(broker, again, EXACTLY_ONCE | REPEATED, 9, "a", "1");
            assertThat(broker.heard()).isEqualTo("PUBREC 9");
            assertThat(broker.filters()).as("subscriptions").hasSize(1);
            assertThat(history("lost/one", _ -> true))
                    .filteredOn(event -> event.getState() == TriggerEvent.State.STATE_STARTED)
                    .as("runs of a message that came twice")
                    .hasSize(1);

            broker.keepsSession(false);
            again.close();
            Socket last = broker.client();
            publish(broker, last, EXACTLY_ONCE, 9, "a", "2");
            assertThat(broker.heard()).isEqualTo("PUBREC 9");
            assertThat(history(
                            "lost/one",
                            found -> found.stream()
                                            .filter(event -> event.getState() == TriggerEvent.State.STATE_STARTED)
                                            .count()
                                    == 2))
                    .anySatisfy(event -> assertThat(event.getReason()).startsWith("The broker has forgotten"))
                    .anySatisfy(event -> assertThat(event.getReason()).endsWith("was lost: the broker closed it."));
        }
    }

    private static MqttSource.Builder source(String connection) {
        return MqttSource.newBuilder().setConnection(connection);
    }

    private static void connect(String path, FakeBroker broker) {
        connect(path, broker, "");
    }

    private static void connect(String path, FakeBroker broker, String further) {
        var _ = resource(path, "{\"url\": \"" + broker.url() + "\"" + further + "}");
    }

    private static Object resource(String path, String value) {
        return ResourceServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .putResource(PutResourceRequest.newBuilder()
                        .setPath(path)
                        .setValue(ByteString.copyFromUtf8(value))
                        .build());
    }

    private List<String> violated(MqttSource.Builder source) {
        return violatedFields(catchThrowableOfType(StatusRuntimeException.class, () -> put("refused/one", source)));
    }

    private void put(String path, MqttSource.Builder source) {
        var _ = triggers.putTrigger(PutTriggerRequest.newBuilder()
                .setPath(path)
                .setTrigger(Trigger.newBuilder()
                        .setRun(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("shop/take")))
                        .setMqtt(source))
                .build());
    }

    private static void publish(FakeBroker broker, Socket client, int flags, int id, String topic, String payload) {
        broker.publish(client, flags, id, topic, payload.getBytes(UTF_8));
    }

    private List<TriggerEvent> history(String path, Predicate<List<TriggerEvent>> wanted) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<TriggerEvent> found = triggers.listTriggerEvents(ListTriggerEventsRequest.newBuilder()
                            .setKind(Kind.KIND_MQTT)
                            .setPath(path)
                            .setPageSize(500)
                            .build())
                    .getEventsList();
            if (wanted.test(found) || System.nanoTime() > end) {
                return found;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean settled(List<TriggerEvent> starts, int size) {
        return starts.size() >= size
                && starts.stream().noneMatch(start -> start.getState() == TriggerEvent.State.STATE_PENDING);
    }

    /** The JSON of a member of the input of the run that was started. */
    private static String member(TriggerEvent start, String name) {
        return JsonValue.of(SCHEDULER
                        .runs()
                        .getRun(GetRunRequest.newBuilder()
                                .setRunId(start.getRunId())
                                .build())
                        .getRun()
                        .getInput()
                        .toStringUtf8())
                .members()
                .getOrDefault(name, JsonValue.NULL)
                .text();
    }
}
