package dev.millrace.scheduler.trigger;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.common.v1.ReferenceUser;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.secret.v1.DeleteResourceRequest;
import dev.millrace.proto.secret.v1.DeleteSecretRequest;
import dev.millrace.proto.secret.v1.ListSecretsRequest;
import dev.millrace.proto.secret.v1.Secret;
import dev.millrace.proto.trigger.v1.GetTriggerRequest;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.ListTriggerEventsRequest;
import dev.millrace.proto.trigger.v1.ListTriggersRequest;
import dev.millrace.proto.trigger.v1.MqttSource;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.ReceiveWebhookRequest;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerEvent;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.proto.trigger.v1.WebhookCall;
import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.secret.SecretCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what becomes of secrets and resources to which triggers refer. */
class TriggerReferencesTest {
    private static final String VALUE = "a long secret value";

    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private final SecretCalls secrets = new SecretCalls(SCHEDULER.channel());
    private final TriggerServiceGrpc.TriggerServiceBlockingStub triggers =
            TriggerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @BeforeEach
    void deploy() {
        var _ = secrets.deploy("shop/order", "h", "{}");
    }

    @Test
    void deletesNoSecretThatAWebhookUses() {
        secrets.set("shop/kept", VALUE);
        put("shop/kept-hook", webhook("shop/kept"));

        var refusal = catchThrowableOfType(StatusRuntimeException.class, () -> delete("shop/kept", false));

        assertThat(reason(refusal)).isEqualTo("IN_USE");
        assertThat(refusal).hasMessageContaining("The secret shop/kept is used by the webhook shop/kept-hook. ");
        assertThat(listed("shop/kept").getOtherUsersList()).containsExactly(user("webhook", "shop/kept-hook"));
        put("shop/kept-hook", webhook("shop/other"));
        assertThat(listed("shop/kept").getOtherUsersList()).isEmpty();
        var _ = delete("shop/kept", false);
    }

    @Test
    void deletesNoResourceThatATriggerUses() {
        secrets.put("shop/broker", "{\"url\": \"mqtt://localhost:1\"}");
        put(
                "shop/listener",
                Trigger.newBuilder()
                        .setMqtt(MqttSource.newBuilder()
                                .setConnection("shop/broker")
                                .addTopics("orders")));

        var refusal = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> secrets.resources()
                        .deleteResource(DeleteResourceRequest.newBuilder()
                                .setPath("shop/broker")
                                .build()));

        assertThat(reason(refusal)).isEqualTo("IN_USE");
        assertThat(refusal).hasMessageContaining("is used by the mqtt trigger shop/listener. ");
    }

    @Test
    void tellsWhichSecretAWebhookLacks() {
        secrets.set("shop/hook", VALUE);
        put("shop/incoming", webhook("shop/hook"));
        assertThat(call("shop/incoming")).isEqualTo(202);
        assertThat(get("shop/incoming").getProblem()).isEmpty();

        var _ = delete("shop/hook", true);

        String problem = "The secret shop/hook does not exist: set it with `millrace secrets set shop/hook`.";
        assertThat(get("shop/incoming").getProblem()).isEqualTo(problem);
        assertThat(listedTrigger("shop/incoming").getProblem()).isEqualTo(problem);
        assertThat(call("shop/incoming")).isEqualTo(401);
        assertThat(lastEvent("shop/incoming").getReason()).isEqualTo(problem);
        secrets.set("shop/hook", VALUE);
        assertThat(get("shop/incoming").getProblem()).isEmpty();
        assertThat(call("shop/incoming")).isEqualTo(202);
    }

    @Test
    void takesCallsThatKnowTheSecretThatIsLeft() {
        secrets.set("shop/old", "the value of before");
        secrets.set("shop/new", VALUE);
        put("shop/two", webhook("shop/old", "shop/new"));

        var _ = delete("shop/old", true);

        assertThat(call("shop/two")).isEqualTo(202);
    }

    private static ReferenceUser user(String kind, String path) {
        return ReferenceUser.newBuilder().setKind(kind).setPath(path).build();
    }

    private Trigger.Builder webhook(String... paths) {
        for (String path : paths) {
            if (path.equals("shop/other")) {
                secrets.set(path, VALUE);
            }
        }
        return Trigger.newBuilder()
                .setWebhook(WebhookSource.newBuilder()
                        .setScheme(WebhookSource.Scheme.SCHEME_TOKEN)
                        .addAllSecrets(List.of(paths)));
    }

    private void put(String path, Trigger.Builder trigger) {
        var _ = triggers.putTrigger(PutTriggerRequest.newBuilder()
                .setPath(path)
                .setTrigger(trigger.setRun(
                        RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowPath("shop/order"))))
                .build());
    }

    private Secret delete(String path, boolean force) {
        return secrets.secrets()
                .deleteSecret(DeleteSecretRequest.newBuilder()
                        .setPath(path)
                        .setForce(force)
                        .build())
                .getSecret();
    }

    private Secret listed(String path) {
        return secrets.secrets().listSecrets(ListSecretsRequest.getDefaultInstance()).getSecretsList().stream()
                .filter(secret -> secret.getPath().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private Trigger get(String path) {
        return triggers.getTrigger(GetTriggerRequest.newBuilder()
                        .setPath(path)
                        .setKind(Kind.KIND_WEBHOOK)
                        .build())
                .getTrigger();
    }

    private Trigger listedTrigger(String path) {
        return triggers
                .listTriggers(ListTriggersRequest.newBuilder()
                        .setKind(Kind.KIND_WEBHOOK)
                        .build())
                .getTriggersList()
                .stream()
                .filter(trigger -> trigger.getPath().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private TriggerEvent lastEvent(String path) {
        return triggers.listTriggerEvents(ListTriggerEventsRequest.newBuilder()
                        .setPath(path)
                        .setKind(Kind.KIND_WEBHOOK)
                        .build())
                .getEvents(0);
    }

    /** Calls with {@link #VALUE}, and returns the status of the answer. */
    private int call(String path) {
        return triggers.receiveWebhook(ReceiveWebhookRequest.newBuilder()
                        .setHookWorkspace("default")
                        .setHookPath(path)
                        .setCall(WebhookCall.newBuilder()
                                .setMethod("POST")
                                .addHeaders(WebhookCall.Header.newBuilder()
                                        .setName("authorization")
                                        .setValue("Bearer " + VALUE)))
                        .build())
                .getStatus();
    }
}
