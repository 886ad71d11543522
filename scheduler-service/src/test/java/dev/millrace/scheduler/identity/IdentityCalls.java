package dev.millrace.scheduler.identity;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateServiceAccountRequest;
import dev.millrace.proto.identity.v1.CreateServiceAccountTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.CreateUserTokenRequest;
import dev.millrace.proto.identity.v1.GrantRoleRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.scheduler.config.AccessConfig;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Calls with tokens, and people and programs to call as, for tests. */
public final class IdentityCalls {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final RunningScheduler scheduler;
    private final Path ownerToken;

    /**
     * Calls of a scheduler that wants tokens.
     *
     * @param ownerToken the file to which the scheduler has written the token of the first owner
     */
    public IdentityCalls(RunningScheduler scheduler, Path ownerToken) {
        this.scheduler = scheduler;
        this.ownerToken = ownerToken;
    }

    /** Settings under which also callers on the own machine need a token. */
    public static UnaryOperator<SchedulerConfig> required(Path ownerToken) {
        return config -> config.withAccess(new AccessConfig(true, ownerToken));
    }

    /** A channel whose calls show the token. */
    public Channel with(String token) {
        return on(scheduler.channel(), token);
    }

    /** A channel to any scheduler, whose calls show the token. */
    public static Channel on(Channel channel, String token) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** The token of the first owner. */
    public String owner() {
        try {
            return Files.readString(ownerToken).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A token of a new user who has one role. */
    public String user(String workspace, String folder, Role role) {
        String name = "user" + NAMES.incrementAndGet();
        Channel owner = with(owner());
        PrincipalServiceGrpc.newBlockingStub(owner)
                .createUser(CreateUserRequest.newBuilder().setName(name).build());
        grant(workspace, folder, "user:" + name, role);
        return TokenServiceGrpc.newBlockingStub(owner)
                .createUserToken(CreateUserTokenRequest.newBuilder()
                        .setUser(name)
                        .setToken(CreateTokenRequest.newBuilder().setName("test"))
                        .build())
                .getSecret();
    }

    /** The name of the user or service account to whom the token belongs. */
    public String name(String token) {
        return PrincipalServiceGrpc.newBlockingStub(with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal()
                .getName();
    }

    /** A token of a new service account who has one role in its whole workspace. */
    public String serviceAccount(String workspace, Role role) {
        String name = "account" + NAMES.incrementAndGet();
        Channel owner = with(owner());
        PrincipalServiceGrpc.newBlockingStub(owner)
                .createServiceAccount(CreateServiceAccountRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setName(name)
                        .build());
        grant(workspace, "", "service-account:" + name, role);
        return TokenServiceGrpc.newBlockingStub(owner)
                .createServiceAccountToken(CreateServiceAccountTokenRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setServiceAccount(name)
                        .setToken(CreateTokenRequest.newBuilder().setName("test"))
                        .build())
                .getSecret();
    }

    public void grant(String workspace, String folder, String subject, Role role) {
        RoleServiceGrpc.newBlockingStub(with(owner()))
                .grantRole(GrantRoleRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setFolder(folder)
                        .setSubject(subject)
                        .setRole(role)
                        .build());
    }
}
