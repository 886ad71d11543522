package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** The gRPC server: services with errors, health, reflection and limits around them. Each call has a virtual thread, so it may wait, unless it is known not to. */
public final class GrpcServer implements AutoCloseable {
    /** Largest message of a caller, on a large heap; payload limits are checked inside, with a better message. */
    private static final int MESSAGE_BYTES_MAX = 32 << 20;
    /** So much of a call may have arrived before its service asks for it. Fixed: gRPC's own tuning would go up to 8 MB. */
    private static final int CALL_WINDOW_BYTES = 256 << 10;
    /** About what a connection holds beside its calls, mostly outside of the heap. */
    private static final int CONNECTION_BYTES = 256 << 10;
    /** Connections may take one part in so many of what Netty may use outside of the heap, which is as much as the heap. */
    private static final int CONNECTIONS_SHARE = 2;

    private static final int CONNECTIONS_MIN = 64;
    /** A connection has this long to say that it speaks HTTP/2. */
    private static final Duration HANDSHAKE_TIME_MAX = Duration.ofSeconds(10);

    private static final int METADATA_BYTES_MAX = 16 << 10;
    private static final int CALLS_PER_CONNECTION_MAX = 1_000;
    /** A connection that is silent this long is asked for a sign of life ... */
    private static final Duration KEEPALIVE_TIME = Duration.ofSeconds(5);
    /** ... and dropped where none comes in this time. */
    private static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(5);
    /** Clients may ask for a sign of life this often. */
    private static final Duration PERMITTED_KEEPALIVE_TIME = Duration.ofSeconds(5);

    /** Reports, among the services of the health protocol, whether what is committed survives a failure of the database's machine. */
    public static final String DURABILITY = "millrace.durability";

    private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CALLS_END_WAIT_MAX = Duration.ofSeconds(5);

    private final Server server;
    private final HealthStatusManager health;
    private final Loop healthLoop;
    private final MemoryInterceptor memory;
    private final AtomicBoolean draining = new AtomicBoolean();

    private GrpcServer(Server server, HealthStatusManager health, Loop healthLoop, MemoryInterceptor memory) {
        this.server = server;
        this.health = health;
        this.healthLoop = healthLoop;
        this.memory = memory;
    }

    /**
     * Starts to listen. The server reports itself as serving while {@code healthy} holds. Calls of {@code waitFreeMethods}, by full name,
     * are served on the threads of their connections, which spares a hop to another thread for each message: see {@link CallThreads}.
     * Requests that name a run are refused where {@code workspaceOf} says that it is another workspace's: see {@link WorkspaceGuard}.
     */
    public static GrpcServer start(
            GrpcConfig config,
            List<BindableService> services,
            Set<String> waitFreeMethods,
            Function<RunId, Optional<String>> workspaceOf,
            RpcMemory memory,
            BooleanSupplier healthy) {
        HealthStatusManager health = new HealthStatusManager();
        MemoryInterceptor memoryOfCalls = new MemoryInterceptor(memory);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), config.port()))
                .directExecutor()
                .maxInboundMessageSize(messageBytesMax(memory))
                .flowControlWindow(CALL_WINDOW_BYTES)
                .handshakeTimeout(HANDSHAKE_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .addTransportFilter(new ConnectionLimit(connectionsMax()))
                .addStreamTracerFactory(memoryOfCalls)
                .maxInboundMetadataSize(METADATA_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .keepAliveTime(KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(PERMITTED_KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .intercept(new WorkspaceGuard(workspaceOf))
                .intercept(new ErrorInterceptor())
                .intercept(new CallThreads(waitFreeMethods))
                .intercept(memoryOfCalls)
                .addService(ReadableRequests.of(health.getHealthService().bindService()))
                .addService(ReadableRequests.of(
                        ProtoReflectionServiceV1.newInstance().bindService()));
        services.forEach(service -> builder.addService(ReadableRequests.of(WeighedRequests.of(service.bindService()))));
        Server server = start(builder.build(), config);
        Loop healthLoop = Loop.start("health", HEALTH_INTERVAL, () -> report(health, healthy.getAsBoolean()));
        return new GrpcServer(server, health, healthLoop, memoryOfCalls);
    }

    /** The port that is listened on. */
    public int port() {
        return server.getPort();
    }

    /** Reports whether what is committed survives a failure of the database's machine. The server serves all the same. */
    public void reportDurability(boolean isDurable) {
        health.setStatus(DURABILITY, isDurable ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
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
        memory.close();
    }

    /** What could never be reserved is refused from its length alone, unless it may be a worker's. */
    private static int messageBytesMax(RpcMemory memory) {
        long requestBytesMax = Math.min(MESSAGE_BYTES_MAX, memory.requests().reservationBytesMax());
        return (int) Math.max(requestBytesMax, memory.sessionMessageBytesMax());
    }

    private static int connectionsMax() {
        long connections = Runtime.getRuntime().maxMemory() / CONNECTIONS_SHARE / CONNECTION_BYTES;
        return Math.clamp(connections, CONNECTIONS_MIN, Integer.MAX_VALUE);
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
