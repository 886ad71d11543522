package dev.millrace.scheduler.webhook;

import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.ListTriggerEventsRequest;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.ReceiveWebhookRequest;
import dev.millrace.proto.trigger.v1.TestWebhookRequest;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.proto.trigger.v1.WebhookCall;
import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.secret.SecretCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of webhooks by senders who know their secrets, and by strangers. */
class WebhookCallsTest {
    private static final String SECRET = "a long secret value";
    private static final int MIB = 1 << 20;

    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private final SecretCalls secrets = new SecretCalls(SCHEDULER.channel());
    private final TriggerServiceGrpc.TriggerServiceBlockingStub triggers =
            TriggerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @BeforeEach
    void deploy() {
        var _ = secrets.deploy("shop/order", "h", "{}");
        secrets.set("shop/hook", SECRET);
    }

    @Test
    void hearsAGenuineSenderBesideStrangersOfTheSameAddress() {
        put("shop/orders", 0);
        assertThat(call("shop/orders", SECRET)).isEqualTo(202);

        for (int refused = 0; refused < RefusedCallers.REFUSALS_MAX; refused++) {
            assertThat(call("shop/orders", "a guess")).isEqualTo(401);
        }

        assertThat(call("shop/orders", "a guess")).isEqualTo(429);
        assertThat(call("shop/orders", SECRET)).isEqualTo(202);
    }

    @Test
    void answersNobodyWhoGuessesWebhooksThatAreNotThere() {
        for (int refused = 0; refused < RefusedCallers.REFUSALS_MAX; refused++) {
            assertThat(call("shop/none", SECRET)).isEqualTo(401);
        }

        assertThat(call("shop/none", SECRET)).isEqualTo(429);
    }

    /** Such addresses must cost neither an error nor memory. */
    @ParameterizedTest
    @ValueSource(strings = {"shop/a\0b", "shop/\ud83d\ude00", "", "/", "shop//a", "LONG"})
    void answersAddressesThatNoWebhookCanHaveAsThoseOfUnknownOnes(String path) {
        assertThat(call(path.replace("LONG", "a".repeat(100_000)), SECRET)).isEqualTo(401);
    }

    @Test
    void storesNoInputThatIsTooLargeForARun() {
        put("shop/large", 8 * MIB);
        WebhookCall.Builder large = signed(SECRET)
                .addHeaders(
                        WebhookCall.Header.newBuilder().setName("content-type").setValue("text/plain"))
                .setBody(ByteString.copyFromUtf8("x".repeat(5 * MIB)));

        assertThat(call("shop/large", large)).isEqualTo(422);
        assertThat(call("shop/large", large)).isEqualTo(422);

        assertThat(triggers.listTriggerEvents(ListTriggerEventsRequest.newBuilder()
                                .setKind(Kind.KIND_WEBHOOK)
                                .setPath("shop/large")
                                .build())
                        .getEventsList())
                .as("one of several refusals is noted")
                .singleElement()
                .satisfies(event -> assertThat(event.getReason()).contains("millrace.limit.payload-bytes-max"));
    }

    @Test
    void readsNoLargerBodyInATestThanInACall() {
        put("shop/small", 10);

        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> triggers.testWebhook(TestWebhookRequest.newBuilder()
                        .setPath("shop/small")
                        .setCall(WebhookCall.newBuilder().setBody(ByteString.copyFromUtf8("01234567890")))
                        .build()));

        assertThat(violatedFields(refused)).containsExactly("call.body");
    }

    private void put(String path, int bodyBytesMax) {
        var _ = triggers.putTrigger(PutTriggerRequest.newBuilder()
                .setPath(path)
                .setTrigger(Trigger.newBuilder()
                        .setRun(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("shop/order")))
                        .setWebhook(WebhookSource.newBuilder()
                                .setScheme(WebhookSource.Scheme.SCHEME_TOKEN)
                                .setBodyBytesMax(bodyBytesMax)
                                .addSecrets("shop/hook")))
                .build());
    }

    private int call(String path, String secret) {
        return call(path, signed(secret));
    }

    private int call(String path, WebhookCall.Builder call) {
        return triggers.receiveWebhook(ReceiveWebhookRequest.newBuilder()
                        .setHookWorkspace("default")
                        .setHookPath(path)
                        .setCall(call)
                        .build())
                .getStatus();
    }

    private static WebhookCall.Builder signed(String secret) {
        return WebhookCall.newBuilder()
                .setMethod("POST")
                .addHeaders(
                        WebhookCall.Header.newBuilder().setName("authorization").setValue("Bearer " + secret));
    }
}
