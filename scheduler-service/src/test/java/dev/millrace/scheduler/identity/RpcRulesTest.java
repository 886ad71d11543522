package dev.millrace.scheduler.identity;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.access.v1.Scope;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.access.RpcRule;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Calls each method with each kind of token, and compares with the method's rule and with the table in the documents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RpcRulesTest {
    private static final Path TABLE = Path.of("../docs/reference/roles.md");
    private static final Path WRITTEN = Path.of("target/roles.md");
    private static final int RANDOM_REQUESTS = 10;
    private static final long SEED = Long.getLong("millrace.test.seed", 20261124L);
    private static final List<Role> ROLES =
            List.of(Role.ROLE_VIEWER, Role.ROLE_RUNNER, Role.ROLE_DEVELOPER, Role.ROLE_ADMIN, Role.ROLE_OWNER);

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;
    private final Map<Role, String> byRole = new LinkedHashMap<>();
    private String stranger = "";
    private String worker = "";
    private String gateway = "";
    private String run = "";

    RpcRulesTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @BeforeAll
    void issueTokens() {
        WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName("elsewhere").build());
        ROLES.forEach(
                role -> byRole.put(role, role == Role.ROLE_OWNER ? calls.owner() : calls.user("default", "", role)));
        stranger = calls.user("elsewhere", "", Role.ROLE_ADMIN);
        worker = shared(Token.Kind.KIND_WORKER);
        gateway = shared(Token.Kind.KIND_GATEWAY);
        run = endedRun();
    }

    /** A run that has ended, so that no method that follows a run waits for its end. */
    private String endedRun() {
        Channel owner = calls.with(calls.owner());
        String id = RunServiceGrpc.newBlockingStub(owner)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setHandler("nobody")))
                        .build())
                .getRun()
                .getId();
        OperationServiceGrpc.newBlockingStub(owner)
                .cancelRun(CancelRunRequest.newBuilder().setRunId(id).build());
        return id;
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @TestFactory
    Stream<DynamicTest> eachMethodLetsThoseCallWhomItsRuleNames() {
        return RpcMethods.all().stream()
                .map(method -> DynamicTest.dynamicTest(method.name(), () -> {
                    boolean isOpen = isOpen(method.rule());
                    expect(method, scheduler.channel(), isOpen, "a caller without a token");
                    expect(method, calls.with("mru_" + "0".repeat(38)), false, "an unknown token");
                    byRole.forEach((role, token) ->
                            expect(method, calls.with(token), allows(method.rule(), role), role.name()));
                    Scope scope = method.rule().scope();
                    expect(
                            method,
                            calls.with(stranger),
                            isOpen || scope == Scope.SCOPE_AUTHENTICATED,
                            "another workspace's admin");
                    expect(method, calls.with(worker), isOpen || isForWorkers(method.rule()), "a worker");
                    expect(method, calls.with(gateway), isOpen, "a gateway");
                }));
    }

    /** Requests of random fields neither get past a rule nor make the server fail. */
    @Tag("nightly")
    @TestFactory
    Stream<DynamicTest> randomRequestsGetNoFurther() {
        Random random = new Random(SEED);
        return RpcMethods.all().stream()
                .map(method -> DynamicTest.dynamicTest(method.name(), () -> {
                    boolean isOpen = isOpen(method.rule());
                    boolean isForWorkers = isForWorkers(method.rule());
                    // Tokens of its own for each method, because some methods revoke them.
                    sendRandom(
                            method,
                            random,
                            calls.user("default", "", Role.ROLE_VIEWER),
                            allows(method.rule(), Role.ROLE_VIEWER));
                    sendRandom(
                            method,
                            random,
                            calls.user("elsewhere", "", Role.ROLE_ADMIN),
                            allows(method.rule(), Role.ROLE_ADMIN));
                    sendRandom(method, random, shared(Token.Kind.KIND_WORKER), isOpen || isForWorkers);
                    sendRandom(method, random, shared(Token.Kind.KIND_GATEWAY), isOpen);
                }));
    }

    private void sendRandom(RpcMethods.Method method, Random random, String token, boolean mayAnswer) {
        for (int round = 0; round < RANDOM_REQUESTS; round++) {
            DynamicMessage request = RandomMessages.of(method.proto().getInputType(), random);
            Status status = status(method, calls.with(token), request);
            assertThat(status.getCode())
                    .as("seed %d: %s answered %s to %s", SEED, method.name(), status, request)
                    .isNotIn(Status.Code.INTERNAL, Status.Code.UNKNOWN);
            assertThat(status.isOk() && !mayAnswer)
                    .as("seed %d: %s answered to %s", SEED, method.name(), request)
                    .isFalse();
        }
    }

    @Test
    void theTableInTheDocumentsIsTrue() throws IOException {
        String table = table();
        Files.createDirectories(WRITTEN.getParent());
        Files.writeString(WRITTEN, table);

        assertThat(Files.readString(TABLE))
                .as("put the table of %s into %s", WRITTEN.toAbsolutePath(), TABLE)
                .contains(table);
    }

    private void expect(RpcMethods.Method method, Channel channel, boolean isAllowed, String who) {
        Status status = status(method, channel, request(method));
        boolean isDenied = isDenied(status);
        assertThat(isDenied).as("%s calls %s: %s", who, method.name(), status).isEqualTo(!isAllowed);
    }

    /** A request that the rule alone decides on. */
    private DynamicMessage request(RpcMethods.Method method) {
        return method.rule().scope() == Scope.SCOPE_AUTHENTICATED
                // Such a method answers more for a workspace's admin, and without an id it revokes the caller's token.
                ? method.request(Map.of("id", run))
                : method.request(Map.of("run_id", run, "path", "no-such-path", "step", "a", "workspace", "default"));
    }

    private static Status status(RpcMethods.Method method, Channel channel, DynamicMessage request) {
        try {
            method.call(channel, request);
            return Status.OK;
        } catch (StatusRuntimeException refusal) {
            // A stream without a message and without an end would cost its whole time limit for each caller.
            assertThat(refusal.getStatus().getCode())
                    .as("%s waits: call it with a request that is answered at once", method.name())
                    .isNotEqualTo(Status.Code.DEADLINE_EXCEEDED);
            return refusal.getStatus().withCause(refusal);
        }
    }

    private static boolean isDenied(Status status) {
        // Whether there is a workspace is not said to those who have no role in it.
        return status.getCode() == Status.Code.UNAUTHENTICATED
                || (Set.of(Status.Code.PERMISSION_DENIED, Status.Code.NOT_FOUND).contains(status.getCode())
                        && status.getCause() instanceof StatusRuntimeException refusal
                        && Set.of("PERMISSION_DENIED", "WORKSPACE_NOT_FOUND").contains(reason(refusal)));
    }

    private static boolean isOpen(RpcRule rule) {
        return rule.scope() == Scope.SCOPE_PUBLIC || rule.scope() == Scope.SCOPE_LINK;
    }

    private static boolean isForWorkers(RpcRule rule) {
        return rule.scope() == Scope.SCOPE_SESSION || rule.scope() == Scope.SCOPE_LEASE;
    }

    private static boolean allows(RpcRule rule, Role role) {
        return switch (rule.scope()) {
            case SCOPE_PUBLIC, SCOPE_LINK, SCOPE_AUTHENTICATED -> true;
            case SCOPE_SESSION, SCOPE_LEASE -> false;
            default -> role.compareTo(rule.least().orElseThrow().message()) >= 0;
        };
    }

    private String table() {
        String head = """
                | method | where | viewer | runner | developer | admin | owner | worker | recorded |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                """;
        return RpcMethods.all().stream().map(RpcRulesTest::row).collect(Collectors.joining("", head, ""));
    }

    private static String row(RpcMethods.Method method) {
        RpcRule rule = method.rule();
        return "| `" + method.name() + "` | " + where(rule.scope()) + " | "
                + ROLES.stream().map(role -> mark(allows(rule, role))).collect(Collectors.joining(" | ")) + " | "
                + mark(isForWorkers(rule) || isOpen(rule)) + " | " + mark(rule.isAudited()) + " |\n";
    }

    private static String where(Scope scope) {
        return switch (scope) {
            case SCOPE_PUBLIC -> "nobody is asked";
            case SCOPE_LINK -> "the link decides";
            case SCOPE_AUTHENTICATED -> "of the caller";
            case SCOPE_LEASE -> "the lease decides";
            default -> scope.name().replace("SCOPE_", "").replace('_', ' ').toLowerCase(Locale.ROOT);
        };
    }

    private static String mark(boolean holds) {
        return holds ? "✓" : "";
    }

    private String shared(Token.Kind kind) {
        return TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(kind)
                        .setName("test")
                        .build())
                .getSecret();
    }
}
