package dev.millrace.bench.system;

import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Tokens and certificates of one installation: files in a folder of its own, and the settings that name them. */
final class Access {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Protection protection;
    private final Path folder;

    private Access(Protection protection, Path folder) {
        this.protection = protection;
        this.folder = folder;
    }

    /** Makes the certificates, if any, in an empty folder. */
    static Access prepare(Protection protection, ClusterPlan plan) {
        try {
            Access access = new Access(protection, Files.createTempDirectory("millrace-bench-"));
            if (protection.hasTls()) {
                access.makeCertificates(plan);
            }
            return access;
        } catch (IOException e) {
            throw new UncheckedIOException("The folder for tokens and certificates cannot be made.", e);
        }
    }

    private void makeCertificates(ClusterPlan plan) throws IOException {
        var command = plan.home().command(List.of(), List.of("certs", "dev", "--out", path("certs")));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("MILLRACE_HOME", plan.home().path().toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IllegalStateException("The certificates could not be made: " + output);
        }
    }

    /** Adds the settings of all services. */
    ClusterPlan settings(ClusterPlan plan) {
        ClusterPlan more = plan;
        if (protection.hasTls()) {
            more = more.with("millrace.grpc.tls.certificate", path("certs/server.pem"))
                    .with("millrace.grpc.tls.key", path("certs/server.key"))
                    .with("millrace.scheduler.tls.ca", authorities());
        }
        if (protection.hasTokens()) {
            more = more.with("millrace.access.required", "true")
                    .with("millrace.access.owner-token-file", path("owner-token"))
                    .with("millrace.worker.token-file", workerToken());
        }
        return more;
    }

    /** Opens a channel whose calls show the owner's token. Waits until there is one. */
    ManagedChannel connect(String address, int messageBytesMax) {
        ManagedChannelBuilder<?> builder =
                Grpc.newChannelBuilder(address, credentials()).maxInboundMessageSize(messageBytesMax);
        ownerToken().ifPresent(token -> {
            Metadata headers = new Metadata();
            headers.put(AUTHORIZATION, "Bearer " + token);
            builder.intercept(MetadataUtils.newAttachHeadersInterceptor(headers));
        });
        return builder.build();
    }

    private ChannelCredentials credentials() {
        if (!protection.hasTls()) {
            return InsecureChannelCredentials.create();
        }
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(Path.of(authorities()).toFile())
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The token of the first owner, once the scheduler has written it; empty if nobody needs tokens. */
    Optional<String> ownerToken() {
        if (!protection.hasTokens()) {
            return Optional.empty();
        }
        Path file = Path.of(path("owner-token"));
        Await.until("the scheduler has written the token of the owner", START_LIMIT, () -> Files.exists(file));
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the token of the workers, if they need one. */
    void admitWorkers(Channel owner) {
        if (!protection.hasTokens()) {
            return;
        }
        String token = TokenServiceGrpc.newBlockingStub(owner)
                .withWaitForReady()
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(Token.Kind.KIND_WORKER)
                        .setName("bench")
                        .build())
                .getSecret();
        try {
            Files.writeString(Path.of(workerToken()), token);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Arguments by which a worker of the benchmark itself connects: the authorities and the token, or nothing. */
    List<String> workerArguments() {
        return List.of(protection.hasTls() ? authorities() : "", protection.hasTokens() ? workerToken() : "");
    }

    private String authorities() {
        return path("certs/ca.pem");
    }

    private String workerToken() {
        return path("worker-token");
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }
}
