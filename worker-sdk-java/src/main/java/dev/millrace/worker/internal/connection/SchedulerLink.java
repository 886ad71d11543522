package dev.millrace.worker.internal.connection;

import dev.millrace.tls.ChannelSecurity;
import dev.millrace.tls.ClientTls;
import dev.millrace.tls.InProcess;
import dev.millrace.tls.KeyFiles;
import dev.millrace.tls.SchedulerTargets;
import dev.millrace.worker.SchedulerAccess;
import dev.millrace.worker.Tls;
import dev.millrace.worker.WorkerToken;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A worker's channel to the scheduler. All calls on it show the worker's token. */
public final class SchedulerLink implements AutoCloseable {
    static final int INBOUND_MESSAGE_BYTES_MAX = 64 << 20;

    /** After this time of silence a connection is pinged, for the calls beside the session. gRPC accepts no less. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);

    /** If a ping is not answered within this time, the connection is closed and its calls fail. */
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(4);

    private final ManagedChannel channel;
    private final ChannelSecurity security;

    private SchedulerLink(ManagedChannel channel, ChannelSecurity security) {
        this.channel = channel;
        this.security = security;
    }

    /**
     * Reads token and certificates, and makes a channel that handles messages on its event loop: the session's handlers
     * never block. It connects at its first call.
     *
     * @throws IllegalArgumentException if a file cannot be used, or if the token would leave the machine in plain text
     */
    public static SchedulerLink open(String target, SchedulerAccess access) {
        Optional<ClientTls> tls = access.tls().map(SchedulerLink::files);
        if (!access.token().equals(WorkerToken.NONE)) {
            ChannelSecurity.requireNoPlaintext(
                    target,
                    tls,
                    "the token of this worker",
                    access.isPlaintextAllowed(),
                    "set millrace.scheduler.allow-plaintext to true, or call allowPlaintext() of the builder");
        }
        TokenSource tokens = TokenSource.of(access.token());
        ChannelSecurity security = ChannelSecurity.open(tls);
        NettyChannelBuilder channel = security.protect(
                        InProcess.isTarget(target) ? InProcess.channel(target) : SchedulerTargets.channel(target))
                .directExecutor()
                .keepAliveTime(PING_INTERVAL.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(PING_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .maxInboundMessageSize(INBOUND_MESSAGE_BYTES_MAX);
        if (!access.token().equals(WorkerToken.NONE)) {
            channel.intercept(new TokenInterceptor(tokens));
        }
        return new SchedulerLink(channel.build(), security);
    }

    private static ClientTls files(Tls tls) {
        return new ClientTls(
                tls.authorities(),
                tls.certificate().map(file -> new KeyFiles(file, tls.key().orElseThrow())));
    }

    public ManagedChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        security.close();
    }
}
