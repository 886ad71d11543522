package dev.millrace.scheduler.trigger;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.ListTokensRequest;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.RunTrigger;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.ScheduleStart;
import dev.millrace.proto.schedule.v1.Timing;
import dev.millrace.proto.schedule.v1.TriggerScheduleRequest;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.secret.SecretCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests for whom triggers act, on a scheduler that wants tokens of everybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TriggerRightsTest {
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    TriggerRightsTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @BeforeAll
    void deploy() {
        SecretCalls flows = new SecretCalls(calls.with(calls.owner()));
        flows.deploy("shop/order", "h", "{}");
        flows.deploy("billing/invoice", "h", "{}");
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void runsBelongToWhoeverWroteTheTriggerWhoeverStartsThem() {
        String developer = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        String runner = calls.user("default", "shop", Role.ROLE_RUNNER);
        put(developer, "shop/a", "shop/order");

        ScheduleStart start = trigger(runner, "shop/a");

        assertThat(start.getState()).isEqualTo(ScheduleStart.State.STATE_STARTED);
        assertThat(run(developer, start.getRunId()).getStartedBy()).isEqualTo(calls.name(developer));
    }

    @Test
    void runsNameTheirTriggerAndThoseThatSomebodyMakesOfThemDoNot() {
        String developer = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        put(developer, "shop/named", "shop/order");
        String started = trigger(developer, "shop/named").getRunId();

        String again = OperationServiceGrpc.newBlockingStub(calls.with(developer))
                .restartRun(RestartRunRequest.newBuilder().setRunId(started).build())
                .getRun()
                .getId();

        assertThat(run(developer, started).getTrigger())
                .isEqualTo(RunTrigger.newBuilder()
                        .setKind("schedule")
                        .setPath("shop/named")
                        .build());
        assertThat(run(developer, again).hasTrigger()).isFalse();
    }

    @Test
    void runsAreListedByWhoeverOrWhateverStartedThem() {
        String developer = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        put(developer, "shop/listed", "shop/order");
        String ofTrigger = trigger(developer, "shop/listed").getRunId();
        RunServiceGrpc.RunServiceBlockingStub runs = RunServiceGrpc.newBlockingStub(calls.with(developer));
        String own = runs.submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("shop/order")))
                        .build())
                .getRun()
                .getId();
        String again = OperationServiceGrpc.newBlockingStub(calls.with(developer))
                .restartRun(RestartRunRequest.newBuilder().setRunId(own).build())
                .getRun()
                .getId();

        List<Run> ofDeveloper = startedBy(runs, calls.name(developer));
        assertThat(ofDeveloper).extracting(Run::getId).containsExactly(again, own);
        assertThat(ofDeveloper).extracting(Run::getStartedBy).containsOnly(calls.name(developer));
        assertThat(ofDeveloper.getFirst().getOrigin().getRunId()).isEqualTo(own);
        assertThat(startedBy(runs, "schedule shop/listed"))
                .singleElement()
                .satisfies(run -> assertThat(run.getTrigger().getPath()).isEqualTo("shop/listed"));
        assertThat(startedBy(runs, "schedule")).extracting(Run::getId).contains(ofTrigger);
        assertThat(startedBy(runs, own)).extracting(Run::getId).containsExactly(again);
        assertThat(startedBy(runs, "sched")).isEmpty();
    }

    private static List<Run> startedBy(RunServiceGrpc.RunServiceBlockingStub runs, String starter) {
        return runs.listRuns(ListRunsRequest.newBuilder().setStartedBy(starter).build())
                .getRunsList();
    }

    private Run run(String token, String id) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .getRun(GetRunRequest.newBuilder().setRunId(id).build())
                .getRun();
    }

    @Test
    void nobodyStartsByATriggerWhatTheyMayNotStart() {
        String developer = calls.user("default", "shop", Role.ROLE_DEVELOPER);

        var refusal =
                catchThrowableOfType(StatusRuntimeException.class, () -> put(developer, "shop/b", "billing/invoice"));

        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aTriggerStopsWithTheTokenOfWhomItActsForAndGoesOnForSomebodyElse() {
        String first = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        String second = calls.user("default", "shop", Role.ROLE_DEVELOPER);
        put(first, "shop/c", "shop/order");
        put(first, "shop/d", "shop/order");
        List<Token> standing = tokens(first);

        assertThat(standing).as("one token for all triggers").hasSize(1);
        var _ = TokenServiceGrpc.newBlockingStub(calls.with(first))
                .revokeToken(RevokeTokenRequest.newBuilder()
                        .setId(standing.getFirst().getId())
                        .build());

        ScheduleStart refused = trigger(second, "shop/c");
        assertThat(refused.getState()).isEqualTo(ScheduleStart.State.STATE_REFUSED);
        assertThat(refused.getReason()).contains("acts for " + calls.name(first), "was revoked");
        put(second, "shop/c", "shop/order");
        assertThat(trigger(second, "shop/c").getState()).isEqualTo(ScheduleStart.State.STATE_STARTED);
    }

    private List<Token> tokens(String user) {
        return TokenServiceGrpc.newBlockingStub(calls.with(user))
                .listTokens(ListTokensRequest.getDefaultInstance())
                .getTokensList()
                .stream()
                .filter(token -> token.getName().equals("triggers"))
                .toList();
    }

    private ScheduleServiceGrpc.ScheduleServiceBlockingStub schedules(String user) {
        return ScheduleServiceGrpc.newBlockingStub(calls.with(user));
    }

    private void put(String user, String path, String flow) {
        var _ = schedules(user)
                .putSchedule(PutScheduleRequest.newBuilder()
                        .setPath(path)
                        .setRun(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow)))
                        .setSettings(ScheduleSettings.newBuilder()
                                .setTiming(Timing.newBuilder().addCron("@yearly")))
                        .build());
    }

    private ScheduleStart trigger(String user, String path) {
        return schedules(user)
                .triggerSchedule(
                        TriggerScheduleRequest.newBuilder().setPath(path).build())
                .getStart();
    }
}
