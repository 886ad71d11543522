package dev.millrace.e2e.attack;

import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.CreateUserTokenRequest;
import dev.millrace.proto.identity.v1.CreateWorkerTokenRequest;
import dev.millrace.proto.identity.v1.GrantRoleRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An installation that demands a token of everybody, and those who call it. Its worker is an attacker, if any. */
final class GuardedInstallation implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final AtomicInteger names = new AtomicInteger();
    private final Postgres postgres;
    private final Cluster cluster;
    private final ManagedChannel channel;
    private final String owner;

    private GuardedInstallation(Postgres postgres, Cluster cluster, String owner) {
        this.postgres = postgres;
        this.cluster = cluster;
        this.owner = owner;
        this.channel = ManagedChannelBuilder.forTarget(cluster.schedulerAddress(0))
                .usePlaintext()
                .build();
    }

    /** Starts a scheduler and a gateway. */
    static GuardedInstallation start(String name, Path folder) {
        return start(name, folder, Map.of());
    }

    /**
     * Starts a scheduler and a gateway.
     *
     * @param settings further settings of both
     */
    static GuardedInstallation start(String name, Path folder, Map<String, String> settings) {
        ClusterPlan plan = ClusterPlan.small().withWorkers();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            plan = plan.with(setting.getKey(), setting.getValue());
        }
        Path ownerToken = folder.resolve("owner-token");
        Postgres postgres = Postgres.start();
        Cluster cluster = Cluster.start(
                name,
                postgres,
                plan.with("millrace.access.required", "true")
                        .with("millrace.access.owner-token-file", ownerToken.toString()));
        new Api(cluster.gatewayUrl()).awaitReady();
        Await.until("the first owner has a token", Api.PATIENCE, () -> Files.exists(ownerToken));
        return new GuardedInstallation(postgres, cluster, read(ownerToken));
    }

    Cluster cluster() {
        return cluster;
    }

    Postgres postgres() {
        return postgres;
    }

    /** A channel that shows no token. */
    Channel anonymous() {
        return channel;
    }

    Channel owner() {
        return with(owner);
    }

    String ownerToken() {
        return owner;
    }

    /** A channel that shows this token. */
    Channel with(String token) {
        return with(channel, token);
    }

    /** The given connection, which now shows this token. */
    static Channel with(Channel channel, String token) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** Creates a workspace. */
    void workspace(String name) {
        workspace(name, false);
    }

    /** Creates a workspace whose jobs go only to workers whose token names it. */
    void isolatedWorkspace(String name) {
        workspace(name, true);
    }

    private void workspace(String name, boolean isIsolated) {
        WorkspaceServiceGrpc.newBlockingStub(owner())
                .createWorkspace(CreateWorkspaceRequest.newBuilder()
                        .setName(name)
                        .setIsolated(isIsolated)
                        .build());
    }

    /** The token of a new user with one role. */
    String user(String workspace, String folder, Role role) {
        return user("user" + names.incrementAndGet(), workspace, folder, role);
    }

    /** The token of a new user with this name and one role. */
    String user(String name, String workspace, String folder, Role role) {
        PrincipalServiceGrpc.newBlockingStub(owner())
                .createUser(CreateUserRequest.newBuilder().setName(name).build());
        RoleServiceGrpc.newBlockingStub(owner())
                .grantRole(GrantRoleRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setFolder(folder)
                        .setSubject("user:" + name)
                        .setRole(role)
                        .build());
        return TokenServiceGrpc.newBlockingStub(owner())
                .createUserToken(CreateUserTokenRequest.newBuilder()
                        .setUser(name)
                        .setToken(CreateTokenRequest.newBuilder().setName("attack"))
                        .build())
                .getSecret();
    }

    /** The token of a worker of one workspace, for jobs with these tags; without tags, for all its jobs. */
    String worker(String workspace, String... tags) {
        return TokenServiceGrpc.newBlockingStub(owner())
                .createWorkerToken(CreateWorkerTokenRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setName("attack")
                        .addAllTags(List.of(tags))
                        .build())
                .getSecret();
    }

    /** The token of a worker of all workspaces that are not isolated. */
    String sharedWorker() {
        return shared(Token.Kind.KIND_WORKER);
    }

    /** The token of a gateway. */
    String gateway() {
        return shared(Token.Kind.KIND_GATEWAY);
    }

    private String shared(Token.Kind kind) {
        return TokenServiceGrpc.newBlockingStub(owner())
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(kind)
                        .setName("attack")
                        .build())
                .getSecret();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        cluster.close();
        postgres.close();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
