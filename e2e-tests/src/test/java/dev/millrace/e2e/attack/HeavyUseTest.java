package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.audit.v1.AuditFilter;
import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.audit.v1.ExportAuditEventsRequest;
import dev.millrace.proto.audit.v1.ListAuditEventsRequest;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.login.v1.AuthorizeDeviceRequest;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import dev.millrace.proto.quota.v1.GetQuotasRequest;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.secret.v1.ListResourceTypesRequest;
import dev.millrace.proto.secret.v1.ListResourcesRequest;
import dev.millrace.proto.secret.v1.ListSecretsRequest;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.workspace.v1.ArchiveWorkspaceRequest;
import dev.millrace.proto.workspace.v1.DeleteWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Heavy use of accounts, secrets, audit and quotas by callers who may do so, against a scheduler with a heap of 256 MB. The
 * scheduler survives, and a caller of another workspace is served meanwhile.
 *
 * <p>{@code -Dmillrace.test.attack-seconds=20} makes each attack longer, {@code -Dmillrace.test.attack-scale=10} multiplies
 * the rows, and {@code -Dmillrace.test.attacks=audit-lists} selects one. The attack {@code deletion} runs only if it is
 * selected: a workspace is deleted half a minute after it was archived.
 */
@Tag("nightly")
final class HeavyUseTest {
    private static final int SCALE = Integer.getInteger("millrace.test.attack-scale", 1);
    private static final String CHOSEN = System.getProperty("millrace.test.attacks", "");
    private static final String DELETION = "deletion";
    /** Longest time of a submission beside an attack, including repeats. */
    private static final long PROBE_SECONDS_MAX = 15;

    private static final int DELETED_RUNS = 50_000;
    private static final long DELETION_MINUTES_MAX = 20;

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;
    private static String admin;
    private static String viewer;
    private static String calm;
    private static String gateway;

    private final Map<String, HeavyCallers.Call> attacks = attacks();

    @BeforeAll
    static void start() throws SQLException {
        installation = GuardedInstallation.start("heavy-use", folder);
        installation.workspace("heavy");
        installation.workspace("calm");
        admin = installation.user("heavy", "", Role.ROLE_ADMIN);
        viewer = installation.user("heavy", "", Role.ROLE_VIEWER);
        calm = installation.user("calm", "", Role.ROLE_DEVELOPER);
        gateway = installation.gateway();
        fill();
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    void aCallerOfAnotherWorkspaceIsServed() throws Exception {
        for (var attack : attacks.entrySet()) {
            if (CHOSEN.isEmpty() || CHOSEN.equals(attack.getKey())) {
                perform(attack.getKey(), attack.getValue());
            }
        }
        if (CHOSEN.equals(DELETION)) {
            delete();
        }
    }

    private static Map<String, HeavyCallers.Call> attacks() {
        Map<String, HeavyCallers.Call> attacks = new LinkedHashMap<>();
        attacks.put("nothing", (_, _) -> TimeUnit.MILLISECONDS.sleep(100));
        attacks.put(
                "audit-lists",
                (channel, _) -> AuditServiceGrpc.newBlockingStub(HeavyCallers.as(admin, channel))
                        .listAuditEvents(ListAuditEventsRequest.newBuilder()
                                .setWorkspace("heavy")
                                .setPageSize(1_000)
                                .build()));
        attacks.put(
                "audit-searches",
                (channel, _) -> AuditServiceGrpc.newBlockingStub(HeavyCallers.as(admin, channel))
                        .listAuditEvents(ListAuditEventsRequest.newBuilder()
                                .setWorkspace("heavy")
                                .setFilter(AuditFilter.newBuilder().setAction("Nothing"))
                                .build()));
        attacks.put("audit-exports", (channel, _) -> {
            var lines = AuditServiceGrpc.newBlockingStub(HeavyCallers.as(admin, channel))
                    .exportAuditEvents(ExportAuditEventsRequest.newBuilder()
                            .setWorkspace("heavy")
                            .build());
            while (lines.hasNext()) {
                lines.next();
            }
        });
        attacks.put(
                "secret-lists",
                (channel, _) -> SecretServiceGrpc.newBlockingStub(HeavyCallers.as(viewer, channel))
                        .listSecrets(ListSecretsRequest.newBuilder()
                                .setWorkspace("heavy")
                                .setPageSize(1_000)
                                .build()));
        attacks.put(
                "resource-lists",
                (channel, _) -> ResourceServiceGrpc.newBlockingStub(HeavyCallers.as(viewer, channel))
                        .listResources(ListResourcesRequest.newBuilder()
                                .setWorkspace("heavy")
                                .setPageSize(1_000)
                                .build()));
        attacks.put(
                "resource-types",
                (channel, _) -> ResourceServiceGrpc.newBlockingStub(HeavyCallers.as(viewer, channel))
                        .listResourceTypes(ListResourceTypesRequest.newBuilder()
                                .setWorkspace("heavy")
                                .build()));
        attacks.put("token-changes", (channel, _) -> {
            var tokens = TokenServiceGrpc.newBlockingStub(HeavyCallers.as(viewer, channel));
            String id = tokens.createToken(
                            CreateTokenRequest.newBuilder().setName("x").build())
                    .getToken()
                    .getId();
            tokens.revokeToken(RevokeTokenRequest.newBuilder().setId(id).build());
        });
        attacks.put(
                "quota-looks",
                (channel, _) -> QuotaServiceGrpc.newBlockingStub(HeavyCallers.as(admin, channel))
                        .getQuotas(GetQuotasRequest.newBuilder()
                                .setWorkspace("heavy")
                                .build()));
        attacks.put(
                "unknown-workspaces",
                (channel, number) -> RunServiceGrpc.newBlockingStub(HeavyCallers.as(viewer, channel))
                        .listRuns(ListRunsRequest.newBuilder()
                                .setWorkspace("none" + number)
                                .build()));
        attacks.put(
                "wrong-tokens",
                (channel, number) -> RunServiceGrpc.newBlockingStub(HeavyCallers.from(
                                gateway, address(number), HeavyCallers.as(HeavyCallers.wrongToken(), channel)))
                        .listRuns(ListRunsRequest.getDefaultInstance()));
        attacks.put(
                "device-codes",
                (channel, number) -> DeviceServiceGrpc.newBlockingStub(
                                HeavyCallers.from(gateway, address(number), channel))
                        .authorizeDevice(AuthorizeDeviceRequest.newBuilder()
                                .setClientName("attack")
                                .build()));
        return attacks;
    }

    private static String address(long number) {
        return "2001:db8:" + Long.toHexString(number >>> 16 & 0xffff) + ":" + Long.toHexString(number & 0xffff) + "::1";
    }

    private static void perform(String name, HeavyCallers.Call attack) throws InterruptedException {
        String scheduler = installation.cluster().schedulerAddress(0);
        try (HeavyCallers callers = new HeavyCallers(scheduler);
                CalmCaller probe = new CalmCaller(scheduler, calm, "calm")) {
            String attackers = callers.attack(attack);
            CalmCaller.Times times = probe.finish();
            System.out.printf("attack %s: %s; beside it %s%n", name, attackers, times);
            assertThat(times.problems()).as("calls beside %s", name).isEmpty();
            assertThat(times.slowestMillis())
                    .as("slowest submission beside %s", name)
                    .isLessThan(TimeUnit.SECONDS.toMillis(PROBE_SECONDS_MAX));
        }
        assertThat(installation.cluster().scheduler(0).isAlive())
                .as("the scheduler lives after %s", name)
                .isTrue();
    }

    /** Deletes a workspace with many runs while others work. */
    private static void delete() throws Exception {
        installation.workspace("doomed");
        execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, input, result, created_at, ended_at)
                select run %% 1024, id, id, 'doomed', 2, 'h', 'h', '', 'h', 1, 1, '{}', '{"text": "%s"}', now(), now()
                from (select run, overlay(overlay(md5(run::text) placing lpad(to_hex((extract(epoch from now()) * 1000)::bigint - run), 12, '0') from 1)
                    placing '7' from 13)::uuid as id from generate_series(1, %d) as run) as runs
                """.formatted("x".repeat(100), DELETED_RUNS * SCALE));
        Channel owner = installation.owner();
        var workspaces = WorkspaceServiceGrpc.newBlockingStub(owner);
        workspaces.archiveWorkspace(
                ArchiveWorkspaceRequest.newBuilder().setWorkspace("doomed").build());
        workspaces.deleteWorkspace(
                DeleteWorkspaceRequest.newBuilder().setWorkspace("doomed").build());
        long begun = System.nanoTime();
        long left = DELETED_RUNS * (long) SCALE;
        try (CalmCaller probe = new CalmCaller(installation.cluster().schedulerAddress(0), calm, "calm")) {
            while (left > 0 && System.nanoTime() - begun < TimeUnit.MINUTES.toNanos(DELETION_MINUTES_MAX)) {
                TimeUnit.SECONDS.sleep(5);
                left = count("select count(*) from job_history where workspace = 'doomed'");
                System.out.printf(
                        "deletion: %d runs are left after %d s%n",
                        left, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
            }
            System.out.printf("deletion: beside it %s%n", probe.finish());
        }
        assertThat(left).isZero();
    }

    private static void fill() throws SQLException {
        String scale = Integer.toString(SCALE);
        for (String sql : """
                insert into audit_event (id, workspace, principal, address, action, subject, outcome, detail)
                select overlay(overlay(md5(n::text) placing lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 120000 - n), 12, '0') from 1)
                    placing '7' from 13)::uuid,
                    'heavy', 'ada', '10.0.0.1', 'CancelRun', 'run', 'allowed',
                    json_build_object('a', case when n % 10 < 5 then repeat(md5(n::text), 120) else '' end)
                from generate_series(1, 20000 * SCALE) as n;
                insert into secret (workspace, path, store, description, version)
                select 'heavy', 'f/s' || n, 'vault', repeat('d', 500), 20 from generate_series(1, 1000 * least(SCALE, 10)) as n;
                insert into secret_version (workspace, path, version, created_by)
                select 'heavy', 'f/s' || n, version, repeat('somebody', 10)
                from generate_series(1, 1000 * least(SCALE, 10)) as n, generate_series(1, 20) as version;
                insert into resource (workspace, path, type, value, secrets, description, updated_by)
                select 'heavy', 'f/r' || n, '', to_json(repeat('x', 65000)), '{}', repeat('d', 500), 'ada'
                from generate_series(1, 1000 * least(SCALE, 10)) as n;
                insert into resource_type (workspace, name, schema, description)
                select 'heavy', 't' || n, json_build_object('description', repeat('x', 1600)), repeat('d', 400)
                from generate_series(1, 1000) as n;
                insert into workspace (key, name) select 'w' || n, 'w' || n from generate_series(1, 500 * least(SCALE, 10)) as n;
                insert into workspace_name (name, key) select 'w' || n, 'w' || n from generate_series(1, 500 * least(SCALE, 10)) as n;
                insert into workspace_quota (workspace, submits_per_second_max, queued_jobs_max, open_streams_max,
                    log_bytes_per_second_max, payload_bytes_per_second_max, set_by)
                select 'w' || n, 1, 1, 1, 1, 1, 'owner' from generate_series(1, 500 * least(SCALE, 10)) as n;
                insert into credential (id, hash, kind, name, created_by, submits_per_second_max)
                select gen_random_uuid(), sha256(n::text::bytea), 'worker', 'w', 'owner', 5 from generate_series(1, 5000 * SCALE) as n;
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, timeout_millis, input)
                select n % 1024, id, id, 'heavy', 2, 'nobody', 'nobody', '', 'handler:nobody', 0, n, 1, 60000, '{}'
                from (select n, overlay(overlay(md5(n::text) placing lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n), 12, '0') from 1)
                    placing '7' from 13)::uuid as id from generate_series(1, 20000 * SCALE) as n) as runs
                """.replace("SCALE", scale).split(";", -1)) {
            execute(sql);
        }
        execute("analyze");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = installation.postgres().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(String sql) throws SQLException {
        try (Connection connection = installation.postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
