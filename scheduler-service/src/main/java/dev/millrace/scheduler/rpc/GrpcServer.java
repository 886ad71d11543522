package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.runtime.Loop;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** The gRPC server: services with errors, health, reflection and limits around them. Each call has a virtual thread, so it may wait, unless it is known not to. */
public final class GrpcServer implements AutoCloseable {
    /** Largest message of a caller; payload limits are checked inside, with a better message. */
    private static final int MESSAGE_BYTES_MAX = 32 << 20;

    private static final int METADATA_BYTES_MAX = 16 << 10;
    private static final int CALLS_PER_CONNECTION_MAX = 1_000;
    /** A connection that is silent this long is asked for a sign of life ... */
    private static final Duration KEEPALIVE_TIME = Duration.ofSeconds(20);
    /** ... and dropped where none comes in this time. */
    private static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(10);
    /** Clients may ask for a sign of life this often. */
    private static final Duration PERMITTED_KEEPALIVE_TIME = Duration.ofSeconds(5);

    private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CALLS_END_WAIT_MAX = Duration.ofSeconds(5);

    private final Server server;
    private final HealthStatusManager health;
    private final Loop healthLoop;
    private final AtomicBoolean draining = new AtomicBoolean();

    private GrpcServer(Server server, HealthStatusManager health, Loop healthLoop) {
        this.server = server;
        this.health = health;
        this.healthLoop = healthLoop;
    }

    /**
     * Starts to listen. The server reports itself as serving while {@code healthy} holds. Calls of {@code waitFreeMethods}, by full name,
     * are served on the threads of their connections, which spares a hop to another thread for each message: see {@link CallThreads}.
     */
    public static GrpcServer start(
            GrpcConfig config, List<BindableService> services, Set<String> waitFreeMethods, BooleanSupplier healthy) {
        HealthStatusManager health = new HealthStatusManager();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), config.port()))
                .directExecutor()
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .maxInboundMetadataSize(METADATA_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .keepAliveTime(KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(PERMITTED_KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .intercept(new ErrorInterceptor())
                .intercept(new CallThreads(waitFreeMethods))
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance());
        services.forEach(builder::addService);
        Server server = start(builder.build(), config);
        Loop healthLoop = Loop.start("health", HEALTH_INTERVAL, () -> report(health, healthy.getAsBoolean()));
        return new GrpcServer(server, health, healthLoop);
    }

    /** The port that is listened on. */
    public int port() {
        return server.getPort();
    }

    /** Tells everyone to go elsewhere and takes no new calls; those in progress go on. */
    public void drain() {
        if (draining.compareAndSet(false, true)) {
            healthLoop.close();
            health.enterTerminalState();
            server.shutdown();
        }
    }

    /** Drains, waits a little for calls in progress, then drops them. */
    @Override
    public void close() {
        drain();
        try {
            if (!server.awaitTermination(CALLS_END_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static void report(HealthStatusManager health, boolean healthy) {
        health.setStatus(
                HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                healthy ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    private static Server start(Server server, GrpcConfig config) {
        try {
            return server.start();
        } catch (IOException busy) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    "Cannot listen on " + config.host() + ":" + config.port()
                            + ": another program has this port, or the address is not of this machine. Set millrace.grpc.port or millrace.grpc.host.",
                    busy);
        }
    }
}
