package dev.millrace.scheduler.trigger;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeclaredTrigger;
import dev.millrace.proto.flow.v1.DeleteFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.schedule.v1.DeleteScheduleRequest;
import dev.millrace.proto.schedule.v1.ListSchedulesRequest;
import dev.millrace.proto.schedule.v1.OverlapPolicy;
import dev.millrace.proto.schedule.v1.PauseScheduleRequest;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.Schedule;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.Timing;
import dev.millrace.proto.secret.v1.PutResourceRequest;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import dev.millrace.proto.trigger.v1.GetTriggerRequest;
import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of triggers that the file of a flow declares. */
class DeclaredTriggersTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private final ScheduleServiceGrpc.ScheduleServiceBlockingStub schedules =
            ScheduleServiceGrpc.newBlockingStub(SCHEDULER.channel());
    private final TriggerServiceGrpc.TriggerServiceBlockingStub triggers =
            TriggerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @Test
    void schedulesComeChangeAndGoWithTheFlow() {
        assertThat(deploy("come/report", """
                        schedules:
                          nightly: {cron: 30 2 * * *, zone: Europe/Berlin, overlap: allow, input: {x: 1}}
                          hourly: {every: 1h}
                        """))
                .containsExactly("created come/report/nightly", "created come/report/hourly");

        assertThat(schedules("come/"))
                .extracting(Schedule::getPath)
                .containsExactly("come/report/hourly", "come/report/nightly");
        Schedule nightly = schedules("come/").get(1);
        assertThat(nightly.getFlowPath()).isEqualTo("come/report");
        assertThat(nightly.getRun().getTarget().getFlowPath()).isEqualTo("come/report");
        assertThat(nightly.getSettings().getOverlap()).isEqualTo(OverlapPolicy.OVERLAP_POLICY_ALLOW);
        assertThat(nightly.hasNextTime()).isTrue();
        var _ = schedules.pauseSchedule(
                PauseScheduleRequest.newBuilder().setPath("come/report/nightly").build());

        assertThat(deploy("come/report", "schedules: {nightly: {cron: [0 3 * * *], zone: Europe/Berlin}}"))
                .containsExactly("deleted come/report/hourly", "updated come/report/nightly");
        assertThat(schedules("come/")).singleElement().satisfies(schedule -> {
            assertThat(schedule.getVersion()).isEqualTo(3);
            assertThat(schedule.getSettings().getTiming().getCronList()).containsExactly("0 3 * * *");
            assertThat(schedule.hasPauseTime()).isTrue();
        });
        assertThat(deploy("come/report", "schedules: {nightly: {cron: [0 3 * * *], zone: Europe/Berlin}}"))
                .isEmpty();

        var _ = SCHEDULER
                .flows()
                .deleteFlow(
                        DeleteFlowRequest.newBuilder().setPath("come/report").build());
        assertThat(schedules("come/")).isEmpty();
    }

    @Test
    void onlyTheFileChangesWhatItDeclares() {
        deploy("keep/report", "schedules: {nightly: {every: 1h}}");

        StatusRuntimeException deletion = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> schedules.deleteSchedule(DeleteScheduleRequest.newBuilder()
                        .setPath("keep/report/nightly")
                        .build()));
        StatusRuntimeException change =
                catchThrowableOfType(StatusRuntimeException.class, () -> put("keep/report/nightly", "keep/report"));

        assertThat(reason(deletion)).isEqualTo("IN_USE");
        assertThat(deletion).hasMessageContaining("change the file and deploy it again");
        assertThat(reason(change)).isEqualTo("IN_USE");
    }

    @Test
    void aDeploymentThatCannotKeepItsTriggersChangesNothing() {
        deploy("whole/report", "schedules: {first: {every: 1h}}");
        put("whole/report/second", "whole/report");

        StatusRuntimeException failure = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> deploy("whole/report", "schedules: {first: {every: 2h}, second: {every: 2h}}"));

        assertThat(reason(failure)).isEqualTo("IN_USE");
        assertThat(schedules("whole/")
                        .getFirst()
                        .getSettings()
                        .getTiming()
                        .getEvery()
                        .getSeconds())
                .isEqualTo(3600);
        assertThat(SCHEDULER
                        .flows()
                        .getFlow(GetFlowRequest.newBuilder()
                                .setPath("whole/report")
                                .build())
                        .getFlow()
                        .getDefinition()
                        .toStringUtf8())
                .doesNotContain("second");
    }

    @Test
    void webhooksNameTheirSecrets() {
        String file = "webhooks: {orders: {scheme: github, secrets: hooks/key, parts: [body, headers], wait: 5s}}";
        StatusRuntimeException without =
                catchThrowableOfType(StatusRuntimeException.class, () -> deploy("hooks/report", file));
        assertThat(without).hasMessageContaining("hooks/key");
        var _ = SecretServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .setSecret(SetSecretRequest.newBuilder()
                        .setPath("hooks/key")
                        .setValue(ByteString.copyFromUtf8("correct horse battery"))
                        .build());

        assertThat(deploy("hooks/report", file)).containsExactly("created hooks/report/orders");

        var trigger = triggers.getTrigger(GetTriggerRequest.newBuilder()
                        .setKind(Kind.KIND_WEBHOOK)
                        .setPath("hooks/report/orders")
                        .build())
                .getTrigger();
        assertThat(trigger.getFlow()).isEqualTo("hooks/report");
        assertThat(trigger.getWebhook().getScheme()).isEqualTo(WebhookSource.Scheme.SCHEME_GITHUB);
        assertThat(trigger.getWebhook().getPartsList())
                .containsExactly(WebhookSource.Part.PART_BODY, WebhookSource.Part.PART_HEADERS);
    }

    @Test
    void kafkaTriggersNameTheirConnections() {
        String file =
                "kafka: {orders: {connection: stream/brokers, topics: orders, format: text, batch_max: 5, batch_wait: 2s}}";
        StatusRuntimeException without =
                catchThrowableOfType(StatusRuntimeException.class, () -> deploy("stream/report", file));
        assertThat(without).hasMessageContaining("stream/brokers");
        var _ = ResourceServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .putResource(PutResourceRequest.newBuilder()
                        .setPath("stream/brokers")
                        .setValue(ByteString.copyFromUtf8("{\"bootstrap.servers\": \"203.0.113.1:9092\"}"))
                        .build());

        assertThat(deploy("stream/report", file)).containsExactly("created stream/report/orders");

        KafkaSource kafka = triggers.getTrigger(GetTriggerRequest.newBuilder()
                        .setKind(Kind.KIND_KAFKA)
                        .setPath("stream/report/orders")
                        .build())
                .getTrigger()
                .getKafka();
        assertThat(kafka.getTopicsList()).containsExactly("orders");
        assertThat(kafka.getFormat()).isEqualTo(KafkaSource.Format.FORMAT_TEXT);
        assertThat(kafka.getBatchWait().getSeconds()).isEqualTo(2);
        assertThat(deploy("stream/report", "")).containsExactly("deleted stream/report/orders");
    }

    @Test
    void declarationsThatCannotBeReadKeepAFlowFromBeingDeployed() {
        String file = """
                schedules:
                  a b: {every: 1h}
                  n: {cron: 61 * * * *, often: true}
                  m: {cron: ["@daily", 61 * * * *]}
                  i: {every: 1h, input: {y: 1}}
                  t: {every: 1h, time_input: at}
                webhooks:
                  w: {scheme: carrier_pigeon, secrets: a/b, parts: [feathers]}
                kafka:
                  k: {topics: [orders, "a b"], start: middle, format: avro, batch_wait: 5s}
                """;
        String[] fields = {
            "schedules.a b",
            "schedules.n.often",
            "schedules.n.cron",
            "schedules.m.cron[1]",
            "schedules.i.input",
            "schedules.t.time_input",
            "webhooks.w.scheme",
            "webhooks.w.parts",
            "kafka.k.connection",
            "kafka.k.topics",
            "kafka.k.start",
            "kafka.k.format",
            "kafka.k.batch_wait"
        };

        StatusRuntimeException wrong =
                catchThrowableOfType(StatusRuntimeException.class, () -> deploy("wrong/report", file));

        assertThat(reason(wrong)).isEqualTo("INVALID_FLOW");
        assertThat(violatedFields(wrong)).containsExactlyInAnyOrder(fields);
        assertThat(SCHEDULER
                        .flows()
                        .validateFlow(ValidateFlowRequest.newBuilder()
                                .setFileName("report.yaml")
                                .setDefinition(definition("wrong/report", file))
                                .build())
                        .getProblemsList())
                .extracting(problem -> problem.getPath())
                .containsExactlyInAnyOrder(fields);
        assertThat(SCHEDULER
                        .flows()
                        .validateFlow(ValidateFlowRequest.newBuilder()
                                .setFileName("report.yaml")
                                .setDefinition(definition("wrong/report", file))
                                .build())
                        .getProblemsList())
                .filteredOn(problem -> problem.getPath().startsWith("schedules."))
                .extracting(problem -> problem.getPath() + " " + problem.getLine())
                .contains("schedules.a b 5", "schedules.n.often 6", "schedules.m.cron[1] 7", "schedules.i.input 8");
    }

    @Test
    void aSecretThatIsMissingNamesThePlaceInTheFile() {
        StatusRuntimeException wrong =
                catchThrowableOfType(StatusRuntimeException.class, () -> deploy("secret/report", """
                        webhooks:
                          first: {scheme: github, secrets: [secret/nothing]}
                          second: {scheme: token, secrets: [secret/nothing]}
                        """));

        assertThat(reason(wrong)).isEqualTo("INVALID_FLOW");
        assertThat(violatedFields(wrong)).containsExactly("webhooks.first", "webhooks.second");
        assertThat(wrong)
                .hasMessageContaining(
                        "webhooks.first: report.yaml:5:3: There is no secret secret/nothing in workspace default: set it"
                                + " with millrace secrets set secret/nothing, then try again.");
        assertThat(SCHEDULER
                        .flows()
                        .validateFlow(ValidateFlowRequest.newBuilder()
                                .setFileName("report.yaml")
                                .setDefinition(definition("secret/report", """
                                        webhooks:
                                          first: {scheme: github, secrets: [secret/nothing]}
                                        """))
                                .build())
                        .getProblemsList())
                .extracting(problem -> problem.getPath() + " " + problem.getLine() + ":" + problem.getColumn())
                .containsExactly("webhooks.first 5:3");
    }

    private void put(String path, String flow) {
        var _ = schedules.putSchedule(PutScheduleRequest.newBuilder()
                .setPath(path)
                .setRun(RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowPath(flow)))
                .setSettings(ScheduleSettings.newBuilder()
                        .setTiming(Timing.newBuilder().addCron("0 1 * * *")))
                .build());
    }

    private static List<String> deploy(String path, String declared) {
        return SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("report.yaml")
                        .setDefinition(definition(path, declared))
                        .build())
                .getTriggersList()
                .stream()
                .map(DeclaredTriggersTest::words)
                .toList();
    }

    private static String words(DeclaredTrigger trigger) {
        return trigger.getChange().name().substring("CHANGE_".length()).toLowerCase(Locale.ROOT) + " "
                + trigger.getPath();
    }

    private static ByteString definition(String path, String declared) {
        return ByteString.copyFromUtf8("""
                millrace: v1
                name: %s
                inputs: {x: {type: integer, default: 0}}
                %s
                steps:
                  - {id: a, handler: nobody}
                """.formatted(path, declared.stripTrailing()));
    }

    private List<Schedule> schedules(String folder) {
        return schedules.listSchedules(ListSchedulesRequest.getDefaultInstance()).getSchedulesList().stream()
                .filter(schedule -> schedule.getPath().startsWith(folder))
                .toList();
    }
}
