package dev.millrace.client;

import dev.millrace.client.internal.access.Access;
import dev.millrace.client.internal.access.TokenSource;
import dev.millrace.tls.ChannelSecurity;
import dev.millrace.tls.SchedulerTargets;
import dev.millrace.tls.TlsException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A channel to a scheduler with its certificates, its token and its retries. Thread-safe. */
final class Connection implements AutoCloseable {
    private static final int INBOUND_MESSAGE_BYTES_MAX = 64 << 20;

    /** After this time of silence a connection is pinged. gRPC accepts no less. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);

    /** If a ping is not answered within this time, the connection is closed and its calls fail. */
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(4);

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final String target;
    private final ChannelSecurity security;
    private final ManagedChannel channel;
    private final TokenSource tokens;
    private final Retries retries;
    private final Duration timeout;

    private Connection(
            String target,
            ChannelSecurity security,
            ManagedChannel channel,
            TokenSource tokens,
            Retries retries,
            Duration timeout) {
        this.target = target;
        this.security = security;
        this.channel = channel;
        this.tokens = tokens;
        this.retries = retries;
        this.timeout = timeout;
    }

    /** Reads the certificates; connects at the first call. */
    static Connection open(Access access, Retries retries, Duration timeout) {
        ChannelSecurity security;
        try {
            security = ChannelSecurity.open(access.tls());
        } catch (TlsException unusable) {
            throw new AccessException(String.valueOf(unusable.getMessage()), unusable);
        }
        ManagedChannel channel = security.protect(SchedulerTargets.channel(access.target()))
                .keepAliveTime(PING_INTERVAL.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(PING_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .maxInboundMessageSize(INBOUND_MESSAGE_BYTES_MAX)
                .build();
        return new Connection(access.target(), security, channel, access.tokens(), retries, timeout);
    }

    /** The token that the next attempt shows; empty for none. */
    String token() {
        return tokens.token();
    }

    /** The channel, whose calls show a token. */
    Channel showing(String token) {
        if (token.isEmpty()) {
            return channel;
        }
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** Begins to count the attempts of a call that may take this much longer than usual. */
    Attempts attempts(Duration more) {
        return new Attempts(
                retries,
                more,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** Options of the next attempt of a call. */
    CallOptions options(Call<?, ?, ?> call, Attempts attempts) {
        Duration longest = attempts.timeout(timeout.plus(call.serverWait()));
        return CallOptions.DEFAULT.withDeadlineAfter(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    ClientException error(Throwable failure, Call<?, ?, ?> call) {
        return CallFailure.of(call.name(), target, failure).error();
    }

    /** The error of an attempt that the client gives up itself. */
    CallFailure failure(Call<?, ?, ?> call, Status.Code code, String detail) {
        return CallFailure.of(call.name(), target, code, detail);
    }

    /** Returns the time to wait before the next attempt. Throws the error if there is to be none. */
    Duration delayAfter(ClientException error, String shownToken, Attempts attempts) {
        if (channel.isShutdown()) {
            throw error;
        }
        if (error instanceof UnauthenticatedException && tokens.renew(shownToken)) {
            return Duration.ZERO;
        }
        return attempts.delayAfter(error);
    }

    /** The error of a wait for a run that took too long. */
    TimedOutException stillRuns(Call<?, ?, ?> call, Duration limit) {
        return new TimedOutException(failure(
                call,
                Status.Code.DEADLINE_EXCEEDED,
                "The run has not ended within " + limit.toMillis() / 1000.0 + " s. It goes on."));
    }

    @Override
    public void close() {
        channel.shutdownNow();
        security.close();
    }
}
