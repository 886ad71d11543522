package dev.millrace.scheduler.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Certificate;
import dev.millrace.certificate.Validity;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.AccessConfig;
import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.config.GrpcTlsConfig;
import dev.millrace.scheduler.testing.TestDatabase;
import dev.millrace.tls.ChannelSecurity;
import dev.millrace.tls.ClientTls;
import dev.millrace.tls.KeyFiles;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers with secrets over real connections: from another address of this machine, and from the loopback address. */
class ConfidentialityTest {
    private static final Validity DAY = Validity.ofNext(Duration.ofDays(1));

    private final Path folder;
    private final Path authorities;
    private final KeyFiles own;

    ConfidentialityTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        Authority authority = Authority.create("trials", DAY);
        Certificate server = authority.issueForServer(List.of("localhost", "127.0.0.1", address()), DAY);
        authorities = Files.writeString(
                folder.resolve("ca.pem"), authority.certificate().certificatePem());
        own = new KeyFiles(
                Files.writeString(folder.resolve("server.pem"), server.certificatePem()),
                Files.writeString(folder.resolve("server.key"), server.keyPem()));
    }

    @Test
    void goNowhereInPlainTextFromAnotherMachine() throws IOException {
        try (TestDatabase database = TestDatabase.migrated();
                Scheduler scheduler = start(database, new GrpcConfig("0.0.0.0", 0, Optional.empty(), true))) {
            StatusRuntimeException refusal = resolve(address(), scheduler.port(), Optional.empty());

            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(refusal).hasMessageContaining("ResolveSecrets answers with secrets");
            assertThat(resolve("localhost", scheduler.port(), Optional.empty()))
                    .message()
                    .doesNotContain("answers with secrets");
        }
    }

    @Test
    void goAnywhereOverTls() throws IOException {
        GrpcTlsConfig tls = new GrpcTlsConfig(own, Optional.empty());
        try (TestDatabase database = TestDatabase.migrated();
                Scheduler scheduler = start(database, new GrpcConfig("0.0.0.0", 0, Optional.of(tls), false))) {
            Optional<ClientTls> client = Optional.of(new ClientTls(Optional.of(authorities), Optional.empty()));

            assertThat(resolve(address(), scheduler.port(), client).getStatus().getCode())
                    .isNotIn(Status.Code.PERMISSION_DENIED, Status.Code.UNAVAILABLE, Status.Code.UNAUTHENTICATED);
        }
    }

    private Scheduler start(TestDatabase database, GrpcConfig grpc) {
        return Scheduler.start(database.schedulerConfig()
                .withGrpc(grpc)
                .withAccess(new AccessConfig(true, folder.resolve("owner-token"))));
    }

    private StatusRuntimeException resolve(String host, int port, Optional<ClientTls> tls) throws IOException {
        ManagedChannel channel;
        try (ChannelSecurity security = ChannelSecurity.open(tls)) {
            channel =
                    security.protect(NettyChannelBuilder.forAddress(host, port)).build();
        }
        try {
            String owner = Files.readString(folder.resolve("owner-token")).strip();
            String worker = TokenServiceGrpc.newBlockingStub(with(owner, channel))
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .createSharedToken(CreateSharedTokenRequest.newBuilder()
                            .setKind(Token.Kind.KIND_WORKER)
                            .setName("rack 7")
                            .build())
                    .getSecret();
            return catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> JobApiServiceGrpc.newBlockingStub(with(worker, channel))
                            .withDeadlineAfter(60, TimeUnit.SECONDS)
                            .resolveSecrets(ResolveSecretsRequest.getDefaultInstance()));
        } finally {
            channel.shutdownNow();
        }
    }

    private static Channel with(String token, Channel channel) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** An address of this machine that is no loopback address. */
    private static String address() throws IOException {
        Optional<InetAddress> found = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeTrue(found.isPresent(), "this machine has loopback addresses only");
        return found.orElseThrow().getHostAddress();
    }
}
