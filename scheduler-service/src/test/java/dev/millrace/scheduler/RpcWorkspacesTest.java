package dev.millrace.scheduler;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that every RPC of every service names its workspace, and finds nothing of another workspace. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RpcWorkspacesTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    /** What requests about runs need beside the run. */
    private static final Map<String, String> NEEDED =
            Map.of("LogService/SearchLogs", " text: \"alpha\"", "RunService/ListIterations", " loop: \"each\"");

    /** RPCs whose requests have no workspace, with the reason. */
    private static final Map<String, String> NO_WORKSPACE = Map.ofEntries(
            Map.entry("FlowService/ConvertFlow", "it translates the text that it is given"),
            Map.entry("SignalService/GetWaitLink", "whoever has the link may use it: its token is for one run"),
            Map.entry("SignalService/UseWaitLink", "whoever has the link may use it: its token is for one run"),
            Map.entry("ServerService/GetServerStatus", "it is about the server, which all workspaces share"),
            Map.entry("WorkerService/ListWorkers", "it is about workers, which all workspaces share"),
            Map.entry("WorkerService/DrainWorker", "it is about a worker, which all workspaces share"),
            Map.entry("WorkerService/ResumeWorker", "it is about a worker, which all workspaces share"),
            Map.entry("WorkerService/KillWorker", "it is about a worker, which all workspaces share"),
            Map.entry("QueueService/ListQueues", "it is about tags, which all workspaces share"),
            Map.entry("QueueService/PauseQueue", "it is about a tag, which all workspaces share"),
            Map.entry("QueueService/ResumeQueue", "it is about a tag, which all workspaces share"),
            Map.entry("WorkerSessionService/OpenSession", "a worker serves all workspaces: each lease names its own"),
            Map.entry("WorkspaceService/CreateWorkspace", "there is no such workspace yet"),
            Map.entry("WorkspaceService/ListWorkspaces", "the caller's roles decide which workspaces there are"),
            Map.entry("PrincipalService/WhoAmI", "it is about the caller"),
            Map.entry("PrincipalService/CreateUser", "users belong to the installation"),
            Map.entry("PrincipalService/ListUsers", "users belong to the installation"),
            Map.entry("PrincipalService/UpdateUser", "users belong to the installation"),
            Map.entry("RoleService/GrantOwner", "owners belong to the installation"),
            Map.entry("RoleService/RevokeOwner", "owners belong to the installation"),
            Map.entry("RoleService/ListOwners", "owners belong to the installation"),
            Map.entry("TokenService/CreateToken", "it is about the caller"),
            Map.entry("TokenService/CreateSession", "it is about the caller"),
            Map.entry("TokenService/CreateUserToken", "users belong to the installation"),
            Map.entry("TokenService/CreateSharedToken", "it is for programs of several workspaces"),
            Map.entry("TokenService/RevokeToken", "the caller's rights decide which tokens there are"),
            Map.entry("KeyService/ListKeys", "key-encryption keys belong to the installation"),
            Map.entry("KeyService/RotateKeys", "key-encryption keys belong to the installation"),
            Map.entry("LoginService/GetLoginOptions", "people log in at the installation"),
            Map.entry("LoginService/BeginLogin", "people log in at the installation"),
            Map.entry("LoginService/FinishLogin", "people log in at the installation"),
            Map.entry("DeviceService/AuthorizeDevice", "the program gets a token of whoever approves it"),
            Map.entry("DeviceService/GetDevice", "whoever knows the code may decide about a token of its own"),
            Map.entry("DeviceService/ApproveDevice", "whoever knows the code may decide about a token of its own"),
            Map.entry("DeviceService/DenyDevice", "whoever knows the code may decide about a token of its own"),
            Map.entry("DeviceService/PollDevice", "the code of the program decides"),
            Map.entry("JobApiService/GetScript", "the lease of the job decides"),
            Map.entry("JobApiService/GetPackageLock", "the lease of the job decides"),
            Map.entry("JobApiService/KeepPackageLock", "the lease of the job decides"),
            Map.entry("JobApiService/KeepInputSchema", "the lease of the job decides"),
            Map.entry("JobApiService/ResolveSecrets", "the lease of the job decides"),
            Map.entry("JobApiService/AcquireLock", "the lease of the job decides"),
            Map.entry("JobApiService/ReleaseLock", "the lease of the job decides"),
            Map.entry("JobApiService/SetData", "the lease of the job decides"),
            Map.entry("JobApiService/GetData", "the lease of the job decides"),
            Map.entry("JobBlobService/SaveJobBlob", "the lease of the job decides"),
            Map.entry("JobBlobService/LoadJobBlob", "the lease of the job decides"),
            Map.entry("JobValueService/ReadSecret", "the lease of the job decides"),
            Map.entry("JobValueService/WriteSecret", "the lease of the job decides"),
            Map.entry("JobValueService/ReadResource", "the lease of the job decides"),
            Map.entry("JobValueService/WriteResource", "the lease of the job decides"),
            Map.entry("JobValueService/ReadState", "the lease of the job decides"),
            Map.entry("JobValueService/WriteState", "the lease of the job decides"),
            Map.entry("JobRunService/StartRun", "the lease of the job decides"),
            Map.entry("JobRunService/AwaitRun", "the lease of the job decides"),
            Map.entry("JobRunService/ReadRun", "the lease of the job decides"),
            Map.entry("JobRunService/CancelRun", "the lease of the job decides"),
            Map.entry("JobRunService/SignWaitLinks", "the lease of the job decides"),
            Map.entry("TriggerService/ReceiveWebhook", "strangers must not learn which workspaces there are"));

    /**
     * The workspace whose contents callers of other workspaces look for. One of the others is the default workspace.
     */
    private static final String OWNER = "owner";

    private static final List<String> OTHERS = List.of("", "other");

    /** The cases of requests that name no run, by method. The test fails for a method without a case. */
    private final Map<String, Consumer<RpcMethod>> cases = Map.ofEntries(
            Map.entry("RunService/SubmitRun", method -> refusesTargets(method, "spec")),
            Map.entry("RunService/SubmitRuns", method -> refusesTargets(method, "specs")),
            Map.entry("RunService/SubmitRunBatches", method -> refusesTargets(method, "specs")),
            Map.entry("RunService/ListRuns", this::listsNothing),
            Map.entry("PinService/ListPinnedRuns", this::listsNothing),
            Map.entry("SignalService/ListPendingWaits", this::listsNothing),
            Map.entry("FlowService/ListFlows", this::listsNothing),
            Map.entry("FlowService/GetFlow", method -> {
                refuses(method, "hash: \"" + flowHash() + "\"", "FLOW_NOT_FOUND");
                refuses(method, "path: \"alpha\"", "FLOW_NOT_FOUND");
            }),
            Map.entry("FlowService/DeleteFlow", method -> refuses(method, "path: \"alpha\"", "FLOW_NOT_FOUND")),
            Map.entry(
                    "FlowService/ValidateFlow",
                    method -> OTHERS.forEach(workspace -> assertThat(method.call(workspace, named("alpha.py"))
                                    .getFirst()
                                    .toString())
                            .contains("alpha.py", "neither among the files"))),
            Map.entry(
                    "FlowService/PlanFlow",
                    method ->
                            OTHERS.forEach(workspace -> assertThat(reason(method.refusal(workspace, named("alpha.py"))))
                                    .isEqualTo("INVALID_FLOW"))),
            Map.entry(
                    "FlowService/DeployFlow",
                    method ->
                            OTHERS.forEach(workspace -> assertThat(reason(method.refusal(workspace, named("alpha.py"))))
                                    .isEqualTo("INVALID_FLOW"))),
            Map.entry("AuditService/ListAuditEvents", RpcWorkspacesTest::listsOwnEvents),
            Map.entry("AuditService/ExportAuditEvents", RpcWorkspacesTest::listsOwnEvents),
            Map.entry("QuotaService/GetQuotas", this::knowsOwnQuotas),
            Map.entry("QueueService/ListLimits", this::listsOwnLimits),
            Map.entry("QueueService/GetActivity", this::tellsOwnActivity),
            Map.entry("VersionService/ListVersions", method -> {
                String flow = "kind: KIND_FLOW path: \"alpha\"";
                assertThat(method.call(OWNER, flow).toString()).contains(flowHash());
                OTHERS.forEach(workspace ->
                        assertThat(method.call(workspace, flow).toString()).doesNotContain("hash"));
            }),
            Map.entry("QuotaService/SetQuotas", this::knowsOwnQuotas),
            Map.entry("ScriptService/ListScripts", this::listsNothing),
            Map.entry("ScriptService/GetScript", method -> {
                refuses(method, "hash: \"" + scriptHash() + "\"", "SCRIPT_NOT_FOUND");
                refuses(method, "path: \"alpha.py\"", "SCRIPT_NOT_FOUND");
            }),
            Map.entry("DedicatedScriptService/GetDedicatedScripts", method -> {
                refuses(method, "script_path: \"alpha.py\"", "SCRIPT_NOT_FOUND");
                refuses(method, "flow_path: \"alpha\"", "FLOW_NOT_FOUND");
            }),
            Map.entry(
                    "ScriptService/DeleteScript", method -> refuses(method, "path: \"alpha.py\"", "SCRIPT_NOT_FOUND")),
            Map.entry("ScriptService/PlanScript", method -> {
                String plan = "path: \"alpha.py\" content: \"def main():\\n    return 1\\n\"";
                assertThat(method.call(OWNER, plan).toString()).contains("current {");
                OTHERS.forEach(workspace ->
                        assertThat(method.call(workspace, plan).toString()).doesNotContain("current {"));
            }),
            Map.entry("ScriptService/DeployScript", method -> method.call("third", script("alpha.py", "other"))),
            Map.entry(
                    "BulkOperationService/StartBulkOperation",
                    method -> OTHERS.forEach(workspace -> assertThat(method.call(workspace, BULK + "filter {}")
                                    .getFirst()
                                    .toString())
                            .contains("state: STATE_ENDED"))),
            Map.entry("BulkOperationService/ListBulkOperations", this::listsNothing),
            Map.entry("BulkOperationService/GetBulkOperation", this::refusesBulk),
            Map.entry("BulkOperationService/ListBulkOperationRuns", this::refusesBulk),
            Map.entry("BulkOperationService/CancelBulkOperation", this::refusesBulk),
            Map.entry(
                    "EventService/FollowEvents",
                    method -> OTHERS.forEach(
                            workspace -> assertThat(method.call(workspace, "until_now: true from_oldest: true")
                                            .toString())
                                    .doesNotContain("alpha", "beta"))),
            Map.entry(
                    "EventService/FollowRuns",
                    method -> OTHERS.forEach(workspace -> assertThat(
                                    method.call(workspace, "until_now: true").toString())
                            .doesNotContain("alpha", "beta"))),
            Map.entry("AlertService/PutAlert", method -> method.call("third", ALERT.formatted("alpha"))),
            Map.entry("AlertService/ListAlerts", this::listsNothing),
            Map.entry("AlertService/GetAlert", RpcWorkspacesTest::refusesTheAlert),
            Map.entry("AlertService/PauseAlert", RpcWorkspacesTest::refusesTheAlert),
            Map.entry("AlertService/ResumeAlert", RpcWorkspacesTest::refusesTheAlert),
            Map.entry("AlertService/DeleteAlert", RpcWorkspacesTest::refusesTheAlert),
            Map.entry("AlertService/ListDeliveries", RpcWorkspacesTest::refusesTheAlert),
            Map.entry("AlertService/ReplayDeliveries", RpcWorkspacesTest::refusesTheAlert),
            Map.entry("SecretService/SetSecret", method -> method.call("third", SECRET.formatted("alpha"))),
            Map.entry("SecretService/ListSecrets", this::listsNothing),
            Map.entry("SecretService/DeleteSecret", method -> refuses(method, "path: \"alpha\"", "SECRET_NOT_FOUND")),
            Map.entry("ResourceService/PutResource", method -> {
                method.call("third", RESOURCE.formatted("alpha"));
                refuses(method, RESOURCE.formatted("alpha") + " type: \"alpha\"", "RESOURCE_TYPE_NOT_FOUND");
            }),
            Map.entry(
                    "ResourceService/GetResource", method -> refuses(method, "path: \"alpha\"", "RESOURCE_NOT_FOUND")),
            Map.entry("ResourceService/ListResources", this::listsNothing),
            Map.entry(
                    "ResourceService/DeleteResource",
                    method -> refuses(method, "path: \"alpha\"", "RESOURCE_NOT_FOUND")),
            Map.entry("ResourceService/PutResourceType", method -> method.call("third", TYPE.formatted("alpha"))),
            Map.entry(
                    "ResourceService/DeleteResourceType",
                    method -> refuses(method, "name: \"beta\"", "RESOURCE_TYPE_NOT_FOUND")),
            Map.entry(
                    "ResourceService/ListResourceTypes",
                    method -> OTHERS.forEach(workspace -> assertThat(
                                    method.call(workspace, "").getFirst().toString())
                            .doesNotContain("alpha", "beta"))),
            Map.entry("ScheduleService/PutSchedule", method -> method.call("third", SCHEDULE.formatted("alpha"))),
            Map.entry("ScheduleService/ListSchedules", this::listsNothing),
            Map.entry("ScheduleService/GetSchedule", this::refusesSchedule),
            Map.entry("ScheduleService/ListScheduleTimes", this::refusesSchedule),
            Map.entry("ScheduleService/PauseSchedule", this::refusesSchedule),
            Map.entry("ScheduleService/ResumeSchedule", this::refusesSchedule),
            Map.entry("ScheduleService/TriggerSchedule", this::refusesSchedule),
            Map.entry("ScheduleService/ListBackfills", this::refusesSchedule),
            Map.entry("ScheduleService/ListScheduleHistory", this::refusesSchedule),
            Map.entry("ScheduleService/ListScheduleVersions", this::refusesSchedule),
            Map.entry("ScheduleService/DeleteSchedule", this::refusesSchedule),
            Map.entry(
                    "ScheduleService/BackfillSchedule",
                    method -> refuses(
                            method,
                            "path: \"alpha\" from_time { seconds: 1 } to_time { seconds: 90000 }",
                            "TRIGGER_NOT_FOUND")),
            Map.entry(
                    "EventHandlerService/PutEventHandler",
                    method -> method.call("third", EVENT_HANDLER.formatted("alpha"))),
            Map.entry("EventHandlerService/ListEventHandlers", this::listsNothing),
            Map.entry("EventHandlerService/GetEventHandler", RpcWorkspacesTest::refusesTheEventHandler),
            Map.entry("EventHandlerService/DeleteEventHandler", RpcWorkspacesTest::refusesTheEventHandler),
            Map.entry("EventHandlerService/ListEventExecutions", RpcWorkspacesTest::refusesTheEventHandler),
            Map.entry("TriggerService/PutTrigger", method -> refuses(method, WEBHOOK, "SECRET_NOT_FOUND")),
            Map.entry("TriggerService/GetTrigger", this::refusesTrigger),
            Map.entry("TriggerService/DeleteTrigger", this::refusesTrigger),
            Map.entry("TriggerService/PauseTrigger", this::refusesTrigger),
            Map.entry("TriggerService/ResumeTrigger", this::refusesTrigger),
            Map.entry("TriggerService/ListTriggerEvents", this::refusesTrigger),
            Map.entry("TriggerService/TestWebhook", method -> refuses(method, "path: \"alpha\"", "TRIGGER_NOT_FOUND")),
            Map.entry(
                    "TriggerService/ListTriggers",
                    method -> OTHERS.forEach(workspace -> assertThat(method.call(workspace, "kind: KIND_WEBHOOK")
                                    .getFirst()
                                    .toString())
                            .doesNotContain("alpha"))),
            Map.entry("PrincipalService/CreateServiceAccount", method -> method.call("third", "name: \"ci\"")),
            Map.entry("PrincipalService/ListServiceAccounts", this::listsNothing),
            Map.entry(
                    "PrincipalService/UpdateServiceAccount",
                    method -> refuses(method, "name: \"alpha\"", "PRINCIPAL_NOT_FOUND")),
            Map.entry(
                    "RoleService/GrantRole",
                    method -> refuses(
                            method, "subject: \"service-account:alpha\" role: ROLE_VIEWER", "PRINCIPAL_NOT_FOUND")),
            Map.entry(
                    "RoleService/RevokeRole",
                    method -> refuses(method, "subject: \"service-account:alpha\"", "ROLE_NOT_FOUND")),
            Map.entry("RoleService/ListRoles", this::listsNothing),
            Map.entry("BlobService/UploadBlob", method -> method.call("third", "media_type: \"text/plain\"")),
            Map.entry(
                    "BlobService/GetBlob",
                    method -> refuses(method, "blob_id: \"" + this.blob + "\"", "BLOB_NOT_FOUND")),
            Map.entry("BlobService/ListBlobs", this::listsNothing),
            Map.entry(
                    "BlobService/DeleteBlob",
                    method -> refuses(method, "blob_id: \"" + this.blob + "\"", "BLOB_NOT_FOUND")),
            Map.entry(
                    "BlobService/DownloadBlob",
                    method -> refuses(method, "blob_id: \"" + this.blob + "\"", "BLOB_NOT_FOUND")),
            Map.entry("WorkspaceService/GetWorkspace", this::isAboutItsWorkspaceOnly),
            Map.entry("WorkspaceService/UpdateWorkspace", this::isAboutItsWorkspaceOnly),
            Map.entry("WorkspaceService/ArchiveWorkspace", method -> {
                isAboutItsWorkspaceOnly(method);
                method("WorkspaceService/RestoreWorkspace").call("other", "");
            }),
            Map.entry("WorkspaceService/RestoreWorkspace", this::isAboutItsWorkspaceOnly),
            Map.entry("WorkspaceService/RenameWorkspace", method -> {
                method.call("other", "new_name: \"renamed\"");
                method.call("other", "new_name: \"other\"");
            }),
            Map.entry("WorkspaceService/DeleteWorkspace", method -> {
                method("WorkspaceService/CreateWorkspace").call("name: \"short-lived\"");
                method("WorkspaceService/ArchiveWorkspace").call("short-lived", "");
                method.call("short-lived", "");
            }),
            Map.entry(
                    "TokenService/CreateServiceAccountToken",
                    method ->
                            refuses(method, "service_account: \"alpha\" token { name: \"x\" }", "PRINCIPAL_NOT_FOUND")),
            Map.entry("TokenService/CreateWorkerToken", method -> method.call("third", "name: \"x\"")),
            Map.entry(
                    "TrustService/CreateTrust",
                    method -> OTHERS.forEach(workspace ->
                            assertThat(reason(method.refusal(workspace, TRUST))).isEqualTo("ISSUER_NOT_TRUSTED"))),
            Map.entry("TrustService/ListTrusts", this::listsNothing),
            Map.entry("TrustService/DeleteTrust", method -> refuses(method, "name: \"alpha\"", "TRUST_NOT_FOUND")),
            Map.entry(
                    "TrustService/ExchangeToken",
                    method -> OTHERS.forEach(workspace -> assertThat(reason(method.refusal(workspace, "jwt: \"x\"")))
                            .isEqualTo("LOGIN_FAILED"))),
            Map.entry("TokenService/ListTokens", method -> {
                assertThat(method.call(OWNER, "").toString()).contains("alpha");
                assertThat(method.call("other", "").toString()).doesNotContain("alpha", "beta");
            }));

    private static final String EVENT_HANDLER =
            "path: \"%s\" definition: '{\"event\": \"conductor:w:e\", \"actions\": [{\"action\": \"start_workflow\","
                    + " \"start_workflow\": {\"name\": \"w\"}}]}'";
    private static final String ALERT =
            "alert { name: \"%s\" types: \"run.failed\" webhook { url: \"https://receiver.example.com/\" } }";
    private static final String SECRET = "path: \"%s\" value: \"a value to hide\"";
    private static final String RESOURCE = "path: \"%s\" value: \"{}\"";
    private static final String WAITING = "file_name: \"f.yaml\" definition: \"{millrace: v1, name: waiting, steps: ["
            + "{id: a, wait: {approval: alpha}}, {id: b, needs: [], wait: {approval: beta}}]}\"";
    private static final String WEBHOOK = "path: \"alpha\" trigger { run { target { script_path: \"alpha.py\" } }"
            + " webhook { scheme: SCHEME_TOKEN secrets: \"alpha\" } }";
    private static final String TYPE = "type { name: \"%s\" schema: \"{}\" }";
    private static final String TRUST = "name: \"alpha\" service_account: \"ci\" issuer: \"https://ci\" audience: \"m\""
            + " claims { key: \"sub\" value: \"x\" }";

    private static final String SCHEDULE =
            "path: \"%s\" run { target { handler: \"h\" } } settings { timing { cron: \"@yearly\" } }";
    private static final String BULK = "operation: OPERATION_KIND_CANCEL ";

    private final Map<String, RpcMethod> methods = RpcMethod.all(SCHEDULER.channel());
    private String live = "";
    private String ended = "";
    private String bulk = "";
    private String blob = "";

    @BeforeAll
    void fill() {
        for (String workspace : List.of(OWNER, "other", "third")) {
            method("WorkspaceService/CreateWorkspace").call("name: \"" + workspace + "\"");
        }
        for (String name : List.of("alpha", "beta")) {
            method("ScriptService/DeployScript").call(OWNER, script(name + ".py", name));
            method("FlowService/DeployFlow")
                    .call(
                            OWNER,
                            "file_name: \"f.yaml\" definition: \"{millrace: v1, name: " + name
                                    + ", steps: [{id: a, handler: nobody}]}\"");
        }
        for (String name : List.of("alpha", "beta")) {
            method("EventHandlerService/PutEventHandler").call(OWNER, EVENT_HANDLER.formatted(name));
            method("AlertService/PutAlert").call(OWNER, ALERT.formatted(name));
            method("SecretService/SetSecret").call(OWNER, SECRET.formatted(name));
            method("ResourceService/PutResource").call(OWNER, RESOURCE.formatted(name));
            method("ResourceService/PutResourceType").call(OWNER, TYPE.formatted(name));
            method("ScheduleService/PutSchedule").call(OWNER, SCHEDULE.formatted(name));
            method("PrincipalService/CreateServiceAccount").call(OWNER, "name: \"" + name + "\"");
            method("RoleService/GrantRole").call(OWNER, "subject: \"service-account:" + name + "\" role: ROLE_VIEWER");
            method("TokenService/CreateServiceAccountToken")
                    .call(OWNER, "service_account: \"" + name + "\" token { name: \"" + name + "\" }");
        }
        method("TriggerService/PutTrigger").call(OWNER, WEBHOOK);
        // No issuer is set here, so no call creates a trust.
        SCHEDULER.open().run(dsl -> dsl.execute("""
                insert into token_trust (workspace, name, service_account, issuer, audience, claims, created_by)
                select key, unnest(array['alpha', 'beta']), 'ci', 'https://ci', 'm', '{"sub": "x"}', 'test'
                from workspace_name where name = ?\
                """, OWNER));
        method("BlobService/UploadBlob").call(OWNER, "media_type: \"text/plain\"");
        blob = text(
                method("BlobService/UploadBlob")
                        .call(OWNER, "media_type: \"text/plain\" data: \"alpha\"")
                        .getFirst(),
                "blob",
                "id");
        ended = canceled();
        live = submitted();
        for (String run : List.of(ended, live)) {
            method("PinService/PinRun").call(OWNER, "run_id: \"" + run + "\"");
        }
        method("FlowService/DeployFlow").call(OWNER, WAITING);
        method("RunService/SubmitRun").call(OWNER, "spec { target { flow_path: \"waiting\" } }");
        bulk = text(
                method("BulkOperationService/StartBulkOperation")
                        .call(OWNER, BULK + "run_ids { ids: \"" + ended + "\" }")
                        .getFirst(),
                "bulk_operation",
                "id");
        method("BulkOperationService/StartBulkOperation").call(OWNER, BULK + "filter { flow_path: \"none\" }");
    }

    @Test
    void everyRequestNamesItsWorkspaceOrIsKnownToNeedNone() {
        assertThat(methods.values().stream()
                        .filter(method -> !method.hasField("workspace"))
                        .map(RpcMethod::name))
                .as("give the request a field workspace, as all others have it, or a reason to NO_WORKSPACE")
                .containsExactlyInAnyOrderElementsOf(NO_WORKSPACE.keySet());
    }

    @TestFactory
    Stream<DynamicTest> nothingOfAnotherWorkspaceIsFound() {
        return methods.values().stream()
                .filter(method -> method.hasField("workspace"))
                .map(method -> DynamicTest.dynamicTest(method.name(), () -> {
                    if (method.hasField("run_id")) {
                        refusesRuns(method);
                    } else {
                        assertThat(cases).as("needs a case for what it names").containsKey(method.name());
                        Objects.requireNonNull(cases.get(method.name())).accept(method);
                    }
                    changedNothing();
                }));
    }

    private void isAboutItsWorkspaceOnly(RpcMethod method) {
        assertThat(method.call("other", "").toString())
                .contains("name: \"other\"")
                .doesNotContain(OWNER);
    }

    private void refusesRuns(RpcMethod method) {
        for (String run : List.of(live, ended)) {
            refuses(method, "run_id: \"" + run + "\"", "RUN_NOT_FOUND");
        }
        // The owner gets neither of these errors, so only the workspace was wrong.
        StatusRuntimeException own =
                method.failure(OWNER, "run_id: \"" + canceled() + "\"" + NEEDED.getOrDefault(method.name(), ""));
        assertThat(own == null ? "" : reason(own)).isNotIn("RUN_NOT_FOUND", "INVALID_REQUEST");
    }

    private void refusesTrigger(RpcMethod method) {
        refuses(method, "kind: KIND_WEBHOOK path: \"alpha\"", "TRIGGER_NOT_FOUND");
    }

    private void refusesTargets(RpcMethod method, String field) {
        String target = field + " { target { %s: \"%s\" } }";
        refuses(method, target.formatted("script_hash", scriptHash()), "SCRIPT_NOT_FOUND");
        refuses(method, target.formatted("script_path", "alpha.py"), "SCRIPT_NOT_FOUND");
        refuses(method, target.formatted("flow_hash", flowHash()), "FLOW_NOT_FOUND");
        refuses(method, target.formatted("flow_path", "alpha"), "FLOW_NOT_FOUND");
    }

    private void refusesSchedule(RpcMethod method) {
        refuses(method, "path: \"alpha\"", "TRIGGER_NOT_FOUND");
    }

    private void refusesBulk(RpcMethod method) {
        refuses(method, "bulk_operation_id: \"" + bulk + "\"", "BULK_OPERATION_NOT_FOUND");
    }

    private static void refuses(RpcMethod method, String request, String reason) {
        for (String workspace : OTHERS) {
            StatusRuntimeException refusal = method.refusal(workspace, request);
            assertThat(reason(refusal)).as(request).isEqualTo(reason);
            assertThat(code(refusal)).isEqualTo(Status.Code.NOT_FOUND);
        }
    }

    /** Checks that other workspaces list nothing, even with a page token of the owner. */
    private void listsNothing(RpcMethod method) {
        DynamicMessage own = method.call(OWNER, "page_size: 1").getFirst();
        String token = text(own, "next_page_token");
        assertThat(token).isNotEmpty();
        for (String workspace : OTHERS) {
            for (String request : List.of("", "page_token: \"" + token + "\"")) {
                assertThat(method.call(workspace, request).getFirst().toString())
                        .doesNotContain(live, ended, bulk, blob, "alpha", "beta");
            }
        }
    }

    /** Checks that other workspaces see what their own callers have tried, and nothing of the owner. */
    private static void listsOwnEvents(RpcMethod method) {
        assertThat(method.call("other", "").toString())
                .doesNotContain("workspace: \"" + OWNER + "\"", "/workspaces/" + OWNER);
    }

    /** Checks that a workspace sees the lines of its own limits only. */
    private void listsOwnLimits(RpcMethod method) {
        method("RunService/SubmitRun")
                .call("third", "spec { target { handler: \"nobody\" } limit { key: \"alpha-line\" max: 1 } }");
        assertThat(method.call("third", "").toString()).contains("alpha-line");
        OTHERS.forEach(
                workspace -> assertThat(method.call(workspace, "").toString()).doesNotContain("alpha-line"));
    }

    /** Checks that no workspace learns of the runs of another, once they are stored. */
    private void tellsOwnActivity(RpcMethod method) {
        assertThat(method.call("other", "minutes: 1").toString())
                .contains("start_time")
                .doesNotContain("runs_succeeded");
    }

    /** Checks that a workspace has quotas of its own. */
    private void knowsOwnQuotas(RpcMethod method) {
        method("QuotaService/SetQuotas").call("third", "quotas { open_streams_max: 1234567 }");
        assertThat(method("QuotaService/GetQuotas").call("third", "").toString())
                .contains("1234567");
        assertThat(method.call("other", "").toString()).doesNotContain("1234567");
    }

    private static void refusesTheEventHandler(RpcMethod method) {
        refuses(method, "path: \"beta\"", "TRIGGER_NOT_FOUND");
    }

    private static void refusesTheAlert(RpcMethod method) {
        refuses(method, "name: \"beta\"", "ALERT_NOT_FOUND");
    }

    private void changedNothing() {
        assertThat(state(live)).isEqualTo("STATE_QUEUED");
        String run = "run_id: \"" + live + "\"";
        assertThat(method("RunService/GetRun").call(OWNER, run).toString()).doesNotContain("paused");
        assertThat(method("OperationService/ListRunOperations").call(OWNER, run).toString())
                .containsOnlyOnce("operation: ");
        assertThat(method("PinService/ListPinnedRuns").call(OWNER, "").toString())
                .contains(live);
        assertThat(scriptHash()).isNotEmpty();
        assertThat(flowHash()).isNotEmpty();
    }

    private String submitted() {
        return text(
                method("RunService/SubmitRun")
                        .call(OWNER, "spec { target { handler: \"nobody\" } }")
                        .getFirst(),
                "run",
                "id");
    }

    private String canceled() {
        String run = submitted();
        method("OperationService/CancelRun").call(OWNER, "run_id: \"" + run + "\"");
        return run;
    }

    private String state(String run) {
        return text(
                method("RunService/GetRun")
                        .call(OWNER, "run_id: \"" + run + "\"")
                        .getFirst(),
                "run",
                "state");
    }

    private String scriptHash() {
        return text(
                method("ScriptService/GetScript")
                        .call(OWNER, "path: \"alpha.py\"")
                        .getFirst(),
                "script",
                "hash");
    }

    private String flowHash() {
        return text(method("FlowService/GetFlow").call(OWNER, "path: \"alpha\"").getFirst(), "flow", "hash");
    }

    private static String script(String path, String content) {
        return "path: \"" + path + "\" content: \"def main(): return '" + content + "'\"";
    }

    private static String named(String script) {
        return "file_name: \"f.yaml\" definition: \"{millrace: v1, name: x, steps: [{id: a, script: " + script
                + "}]}\"";
    }

    private RpcMethod method(String name) {
        return Objects.requireNonNull(methods.get(name), name);
    }

    /** A value inside a message. If a field is repeated, its first value. */
    private static String text(DynamicMessage message, String... path) {
        Object value = message;
        for (String name : path) {
            DynamicMessage inside = (DynamicMessage) value;
            value = inside.getField(inside.getDescriptorForType().findFieldByName(name));
            value = value instanceof List<?> list ? list.getFirst() : value;
        }
        return value instanceof EnumValueDescriptor constant ? constant.getName() : value.toString();
    }
}
