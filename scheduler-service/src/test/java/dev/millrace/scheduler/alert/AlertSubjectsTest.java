package dev.millrace.scheduler.alert;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.proto.alert.v1.Alert;
import dev.millrace.proto.alert.v1.AlertServiceGrpc;
import dev.millrace.proto.alert.v1.Email;
import dev.millrace.proto.alert.v1.PutAlertRequest;
import dev.millrace.proto.alert.v1.Webhook;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.scheduler.config.AlertConfig;
import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that alerts tell what operators ask for, from the cause to the message. */
class AlertSubjectsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER =
            new RunningScheduler(config -> config.withAlert(new AlertConfig(true, Optional.empty()))
                    .withWorker(new WorkerConfig(Duration.ofSeconds(1), Duration.ofMillis(500))));

    private final AlertServiceGrpc.AlertServiceBlockingStub alerts =
            AlertServiceGrpc.newBlockingStub(SCHEDULER.channel());
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void failuresOfAFolderAndOfAFlow() throws InterruptedException {
        deploy("other/fails", "{id: a, terminate: {status: failed}}");
        deploy("shop/fails", "{id: a, terminate: {status: failed}}");
        alert("folder", "run.failed", alert -> alert.setFolder("shop"));

        submit("other/fails");
        submit("shop/fails");

        assertThat(message()).contains("\"dev.millrace.run.failed\"", "shop/fails");
        alert("folder", "run.failed", alert -> alert.setPath("other/fails"));
        submit("shop/fails");
        submit("other/fails");
        assertThat(message()).contains("\"dev.millrace.run.failed\"", "other/fails");
    }

    @Test
    void approvalsThatWait() throws InterruptedException {
        deploy("shop/asks", "{id: boss, wait: {approval: boss, details: {title: 'Ship version 7?'}}}");
        alert("approvals", "approval.requested", alert -> alert);

        submit("shop/asks");

        assertThat(message()).contains("\"dev.millrace.approval.requested\"", "shop/asks", "boss", "Ship version 7?");
    }

    @Test
    void workersThatAreLost() throws InterruptedException {
        alert("workers", "worker.lost", alert -> alert);
        HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "nothing");
        worker.welcome();

        worker.disconnect();

        assertThat(message()).contains("\"dev.millrace.worker.lost\"", "tester");
    }

    @Test
    void ticksOfSchedulesThatWereMissed() throws InterruptedException {
        deploy("shop/nightly", "{id: a, value: 1}", "schedules: {each-minute: {cron: '* * * * *', catch_up: 1m}}");
        alert("ticks", "schedule.missed", alert -> alert.setPath("shop/nightly/each-minute"));

        SCHEDULER.open().run(dsl -> dsl.execute("""
                update schedule set next_tick = date_trunc('minute', now()) - interval '10 minutes', wake_at = now()
                """));
        deploy("shop/wakes", "{id: a, value: 1}", "schedules: {yearly: {cron: '@yearly'}}");

        assertThat(message())
                .contains("\"dev.millrace.schedule.missed\"", "shop/nightly/each-minute", "\"ticks\":\"", "first_time");
    }

    @Test
    void mailsNeedAServer() {
        StatusRuntimeException refusal = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> alerts.putAlert(PutAlertRequest.newBuilder()
                        .setAlert(Alert.newBuilder()
                                .setName("mails")
                                .addTypes("run.failed")
                                .setEmail(Email.newBuilder().addRecipients("ops@example.com")))
                        .build()));

        assertThat(violatedFields(refusal)).containsExactly("alert.email");
        assertThat(refusal).hasMessageContaining("millrace.mail.host");
    }

    /** Folders have no folders inside, so that such an alert would never send anything. */
    @Test
    void aFolderIsTheFirstPartOfAPath() {
        StatusRuntimeException refusal = catchThrowableOfType(
                StatusRuntimeException.class, () -> alert("nested", "run.failed", alert -> alert.setFolder("shop/eu")));

        assertThat(violatedFields(refusal)).containsExactly("alert.folder");
        assertThat(refusal).hasMessageContaining("\"shop/eu\" (expected: the first part of a path, without '/')");
    }

    @Test
    void secretsMustExist() {
        for (Webhook webhook : List.of(
                Webhook.newBuilder().setUrlSecret("shop/nothing").build(),
                Webhook.newBuilder()
                        .setUrl("https://example.com/")
                        .setSigningSecret("shop/nothing")
                        .build())) {
            StatusRuntimeException refusal = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> alert("secret", "run.failed", alert -> alert.setWebhook(webhook)));

            assertThat(reason(refusal)).isEqualTo("SECRET_NOT_FOUND");
            assertThat(refusal).hasMessageContaining("There is no secret shop/nothing in workspace default");
        }
    }

    private void alert(String name, String type, UnaryOperator<Alert.Builder> filter) {
        var _ = alerts.putAlert(PutAlertRequest.newBuilder()
                .setAlert(filter.apply(Alert.newBuilder()
                        .setName(name)
                        .addTypes(type)
                        .setWebhook(Webhook.newBuilder()
                                .setUrl("http://127.0.0.1:"
                                        + server.getAddress().getPort() + "/hook"))))
                .build());
    }

    private String message() throws InterruptedException {
        String message = received.poll(60, TimeUnit.SECONDS);
        assertThat(message).as("a message within 20 s").isNotNull();
        return message;
    }

    private static void submit(String flow) {
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow)))
                        .build());
    }

    private static void deploy(String path, String step) {
        deploy(path, step, "");
    }

    private static void deploy(String path, String step, String declared) {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: %s
                                %s
                                steps:
                                  - %s
                                """.formatted(path, declared, step)))
                        .build());
    }
}
