package dev.millrace.scheduler.audit;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.audit.v1.AuditEvent;
import dev.millrace.proto.audit.v1.AuditEvent.Outcome;
import dev.millrace.proto.audit.v1.AuditFilter;
import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.audit.v1.ListAuditEventsRequest;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.audit.core.DenialWindow;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests which calls leave events, on a scheduler that wants tokens of everybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    AuditTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @BeforeAll
    void deploy() {
        awaitPartitions();
        WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName("acme").build());
        deploy("millrace: v1\nname: shop/order\nsteps:\n  - id: a\n    handler: nobody\n");
        deploy("millrace: v1\nname: shop/ask\nsteps:\n  - {id: ask, wait: {approval: release}}\n");
        deploy("millrace: v1\nname: ops/clean\nsteps:\n  - id: a\n    handler: nobody\n");
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void aChangeOfATableLeavesAnEvent() {
        PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createUser(CreateUserRequest.newBuilder().setName("grace").build());

        assertThat(about("CreateUser", "grace")).singleElement().satisfies(event -> {
            assertThat(event.getPrincipal()).isEqualTo("owner");
            assertThat(event.getCredentialId()).isNotEmpty();
            assertThat(event.getAddress()).isEqualTo("127.0.0.1");
            assertThat(event.getWorkspace()).isEmpty();
            assertThat(event.getOutcome()).isEqualTo(Outcome.OUTCOME_ALLOWED);
            assertThat(event.getDetail()).contains("millrace.identity.v1.PrincipalService");
        });
    }

    @Test
    void theEventOfAFlowNamesThePathThatStandsInItsDefinition() {
        assertThat(about("DeployFlow", "shop/order"))
                .singleElement()
                .satisfies(event -> assertThat(event.getWorkspace()).isEqualTo("default"));
    }

    @Test
    void soDoesTheEventOfAFlowWithScripts() {
        FlowServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(
                                "millrace: v1\nname: shop/scripted\nsteps: [{id: a, script: stored-first.py}]\n"))
                        .addFiles(FlowFile.newBuilder()
                                .setPath("stored-first.py")
                                .setContent(ByteString.copyFromUtf8("def main(): pass")))
                        .build());

        assertThat(about("DeployFlow", "shop/scripted")).hasSize(1);
        assertThat(about("DeployFlow", "flow.yaml")).isEmpty();
    }

    @Test
    void aVersionThatNoPathLeadsToIsStoredAndNotDeployed() {
        ScriptServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath("once.py")
                        .setContent(ByteString.copyFromUtf8("def main(): pass"))
                        .setStoreOnly(true)
                        .build());

        assertThat(about("StoreVersion", "once.py")).hasSize(1);
        assertThat(about("DeployScript", "once.py")).isEmpty();
    }

    @Test
    void theEventOfANewTokenHoldsItsIdAndNotItsText() {
        var issued = TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createToken(CreateTokenRequest.newBuilder().setName("nightly").build());

        assertThat(about("CreateToken", issued.getToken().getId()))
                .singleElement()
                .satisfies(event ->
                        assertThat(event.toString()).contains("nightly").doesNotContain(issued.getSecret()));
    }

    @Test
    void anOperationLeavesAnEventInTheFlushOfItsLane() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "shop/order");

        cancel(runner, run);
        OperationServiceGrpc.newBlockingStub(calls.with(runner))
                .restartRun(RestartRunRequest.newBuilder().setRunId(run).build());

        assertThat(about("CancelRun", run))
                .singleElement()
                .satisfies(event -> assertThat(event.getOutcome()).isEqualTo(Outcome.OUTCOME_ALLOWED));
        assertThat(about("RestartRun", run)).hasSize(1);
        assertThat(transactionOf("run_operation where operation = 'cancel' and run_id = '" + run + "'"))
                .as("the event commits with the change")
                .isEqualTo(transactionOf("audit_event where action = 'CancelRun' and subject = '" + run + "'"));
    }

    @Test
    void aChangeOfATableCommitsWithItsEvent() {
        PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createUser(CreateUserRequest.newBuilder().setName("joan").build());

        assertThat(transactionOf("principal where name = 'joan'"))
                .isEqualTo(transactionOf("audit_event where action = 'CreateUser' and subject = 'joan'"));
    }

    @Test
    void theEventOfALinkNamesItsWorkspaceAndItsPerson() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "shop/ask");
        String link = link(runner, run);

        var _ = SignalServiceGrpc.newBlockingStub(scheduler.channel())
                .useWaitLink(UseWaitLinkRequest.newBuilder()
                        .setRunId(run)
                        .setToken(link)
                        .build());

        assertThat(about("UseWaitLink", run)).singleElement().satisfies(event -> {
            assertThat(event.getWorkspace()).isEqualTo("default");
            assertThat(event.getPrincipal()).isEqualTo("link:" + calls.name(runner));
            assertThat(event.getCredentialId()).isEmpty();
            assertThat(event.toString()).doesNotContain(link);
        });
        assertThat(about("CreateWaitLinks", run)).singleElement().satisfies(event -> {
            assertThat(event.getWorkspace()).isEqualTo("default");
            assertThat(event.getDetail()).contains("\"ask\"", calls.name(runner));
        });
    }

    @Test
    void aCallThatChangesNothingLeavesAnEvent() {
        String run = submit(calls.owner(), "shop/order");
        cancel(calls.owner(), run);

        assertThat(code(refusal(() -> cancel(calls.owner(), run)))).isEqualTo(Status.Code.FAILED_PRECONDITION);

        assertThat(about("CancelRun", run))
                .extracting(AuditEvent::getOutcome)
                .containsExactly(Outcome.OUTCOME_FAILED, Outcome.OUTCOME_ALLOWED);
    }

    @Test
    void aChangeThatCannotBeRecordedIsNotMade() {
        scheduler.database().execute("alter table audit_event add constraint full_disk check (subject <> 'unlucky')");

        StatusRuntimeException failure = refusal(() -> PrincipalServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createUser(CreateUserRequest.newBuilder().setName("unlucky").build()));

        assertThat(code(failure)).isEqualTo(Status.Code.INTERNAL);
        assertThat(count("principal where name = 'unlucky'")).isZero();
        scheduler.database().execute("alter table audit_event drop constraint full_disk");
    }

    @Test
    void aRefusedRoleLeavesAnEvent() {
        String viewer = calls.user("default", "", Role.ROLE_VIEWER);
        String run = submit(calls.owner(), "shop/order");

        refusal(() -> cancel(viewer, run));

        assertThat(awaited("CancelRun", run)).satisfies(event -> {
            assertThat(event.getOutcome()).isEqualTo(Outcome.OUTCOME_DENIED);
            assertThat(event.getDetail()).contains("needs the role runner", "PERMISSION_DENIED");
        });
    }

    @Test
    void whatIsHiddenFromACallerLeavesAnEventAndWhatIsNotThereLeavesNone() {
        String shop = calls.user("default", "shop", Role.ROLE_VIEWER);
        String hidden = submit(calls.owner(), "ops/clean");
        String none = "01900000-0000-7000-8000-000000000000";

        refusal(() -> get(shop, none));
        refusal(() -> get(shop, hidden));

        assertThat(awaited("GetRun", hidden).getOutcome()).isEqualTo(Outcome.OUTCOME_DENIED);
        assertThat(about("GetRun", none)).isEmpty();
    }

    @Test
    void usesOfALinkThatChangeNothingAreCountedAsRefusalsAre() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "shop/ask");
        UseWaitLinkRequest use = UseWaitLinkRequest.newBuilder()
                .setRunId(run)
                .setToken(link(runner, run))
                .build();

        for (int call = 0; call < 40; call++) {
            var _ = SignalServiceGrpc.newBlockingStub(scheduler.channel()).useWaitLink(use);
        }

        assertThat(awaited("UseWaitLink", run).getOutcome()).isEqualTo(Outcome.OUTCOME_ALLOWED);
        assertThat(count("audit_event where action = 'UseWaitLink' and subject = '" + run + "'"))
                .isLessThanOrEqualTo(DenialWindow.EVENTS_PER_CALLER_MAX + 2);
    }

    @Test
    void failedCallsThatNeedNoTokenAreCountedAsRefusalsAre() {
        for (int call = 0; call < 40; call++) {
            refusal(() -> SignalServiceGrpc.newBlockingStub(scheduler.channel())
                    .useWaitLink(UseWaitLinkRequest.newBuilder()
                            .setRunId("none")
                            .setToken("none")
                            .build()));
        }

        assertThat(awaited("UseWaitLink", "none").getOutcome()).isEqualTo(Outcome.OUTCOME_FAILED);
        assertThat(count("audit_event where action = 'UseWaitLink' and subject = 'none'"))
                .isLessThanOrEqualTo(DenialWindow.EVENTS_PER_CALLER_MAX + 1);
    }

    @Test
    void anUnknownCallerLeavesAnEvent() {
        refusal(() ->
                RunServiceGrpc.newBlockingStub(scheduler.channel()).listRuns(ListRunsRequest.getDefaultInstance()));

        assertThat(awaited("ListRuns", "")).satisfies(event -> {
            assertThat(event.getPrincipal()).isEqualTo("anonymous");
            assertThat(event.getAddress()).isEqualTo("127.0.0.1");
        });
    }

    @Test
    void anAdminSeesTheEventsOfItsWorkspaceOnly() {
        String admin = calls.user("acme", "", Role.ROLE_ADMIN);

        assertThat(list(admin, "acme", false))
                .allSatisfy(event -> assertThat(event.getWorkspace()).isEqualTo("acme"));
        assertThat(code(refusal(() -> list(admin, "", false)))).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(awaited("ListAuditEvents", "").getOutcome()).isEqualTo(Outcome.OUTCOME_DENIED);
        assertThat(code(refusal(() -> list(admin, "acme", true)))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> list(calls.owner(), "acme", true)))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(code(refusal(() -> list(calls.user("acme", "", Role.ROLE_DEVELOPER), "acme", false))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    private List<AuditEvent> list(String token, String workspace, boolean all) {
        return AuditServiceGrpc.newBlockingStub(calls.with(token))
                .listAuditEvents(ListAuditEventsRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setAll(all)
                        .build())
                .getAuditEventsList();
    }

    /** The events of an action about something, newest first. */
    private List<AuditEvent> about(String action, String subject) {
        return AuditServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .listAuditEvents(ListAuditEventsRequest.newBuilder()
                        .setAll(true)
                        .setFilter(AuditFilter.newBuilder().setAction(action).setSubject(subject))
                        .build())
                .getAuditEventsList();
    }

    /** An event that is written after its call. */
    private AuditEvent awaited(String action, String subject) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<AuditEvent> found = about(action, subject);
        while (found.isEmpty() && System.nanoTime() < end) {
            found = about(action, subject);
        }
        return found.getFirst();
    }

    /** Waits until the partition of today is there, because rows that move into it get another transaction. */
    private void awaitPartitions() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end
                && count(
                                "pg_inherits where inhparent = 'audit_event'::regclass and inhrelid::regclass::text > 'audit_event_2'")
                        == 0) {
            Thread.onSpinWait();
        }
    }

    private String transactionOf(String rows) {
        return scheduler
                .open()
                .run(dsl -> dsl.fetchSingle("select xmin::text from " + rows).get(0, String.class));
    }

    private long count(String rows) {
        return scheduler
                .open()
                .run(dsl -> dsl.fetchSingle("select count(*) from " + rows).get(0, Long.class));
    }

    private void deploy(String definition) {
        FlowServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build());
    }

    private String submit(String token, String path) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(path)))
                        .build())
                .getRun()
                .getId();
    }

    /** The token of a link with which the caller approves the step `ask`. */
    private String link(String token, String run) {
        return SignalServiceGrpc.newBlockingStub(calls.with(token))
                .createWaitLinks(CreateWaitLinksRequest.newBuilder()
                        .setRunId(run)
                        .setStep("ask")
                        .addActors(calls.name(token))
                        .build())
                .getWaitLinks(0)
                .getAcceptToken();
    }

    private void get(String token, String run) {
        RunServiceGrpc.newBlockingStub(calls.with(token))
                .getRun(GetRunRequest.newBuilder().setRunId(run).build());
    }

    private void cancel(String token, String run) {
        OperationServiceGrpc.newBlockingStub(calls.with(token))
                .cancelRun(CancelRunRequest.newBuilder().setRunId(run).build());
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was allowed").isNotNull();
        return refusal;
    }
}
