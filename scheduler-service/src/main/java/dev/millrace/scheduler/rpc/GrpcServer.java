package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.telemetry.Telemetry;
import dev.millrace.tls.InProcess;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The gRPC server: the services, with error translation, health, reflection and limits. Calls run on virtual threads,
 * so they may wait, unless their method never does.
 */
public final class GrpcServer implements AutoCloseable {
    /** Largest request on a large heap. Services check the limit of payloads themselves, with a better message. */
    private static final int MESSAGE_BYTES_MAX = 32 << 20;
    /**
     * Most bytes of a call that may arrive before its service requests them. It is fixed, because gRPC's automatic
     * tuning would go up to 8 MiB.
     */
    private static final int CALL_WINDOW_BYTES = 256 << 10;
    /** Estimate of what a connection holds besides its calls, mostly off the heap. */
    private static final int CONNECTION_BYTES = 256 << 10;
    /**
     * Divisor of the memory that connections may take. The whole is what Netty may use off the heap, which is as much
     * as the heap.
     */
    private static final int CONNECTIONS_SHARE = 2;

    private static final int CONNECTIONS_MIN = 64;
    /** Longest time in which a connection has to start HTTP/2. */
    private static final Duration HANDSHAKE_TIME_MAX = Duration.ofSeconds(10);

    private static final int METADATA_BYTES_MAX = 16 << 10;
    private static final int CALLS_PER_CONNECTION_MAX = 1_000;
    /** Silence after which the server pings a connection. */
    private static final Duration KEEPALIVE_TIME = Duration.ofSeconds(5);
    /** Time without an answer to the ping after which the server closes the connection. */
    private static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(5);
    /** Shortest interval at which clients may ping. */
    private static final Duration PERMITTED_KEEPALIVE_TIME = Duration.ofSeconds(5);

    /** Health service that reports whether commits survive a failure of the database's machine. */
    public static final String DURABILITY = "millrace.durability";

    private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CALLS_END_WAIT_MAX = Duration.ofSeconds(5);

    private final Server server;
    private final Server ownWorkers;
    private final HealthStatusManager health;
    private final Loop healthLoop;
    private final MemoryInterceptor memory;
    private final ServerTls tls;
    private final AtomicBoolean draining = new AtomicBoolean();

    private GrpcServer(
            Server server,
            Server ownWorkers,
            HealthStatusManager health,
            Loop healthLoop,
            MemoryInterceptor memory,
            ServerTls tls) {
        this.server = server;
        this.ownWorkers = ownWorkers;
        this.health = health;
        this.healthLoop = healthLoop;
        this.memory = memory;
        this.tls = tls;
    }

    /**
     * Starts to listen.
     *
     * @param ownWorkers target of {@link InProcess} at which workers in this process find the same services
     * @param waitFreeMethods full names of methods that are served on the threads of their connections, which saves a
     *     change of threads for each message: see {@link CallThreads}
     * @param healthy whether the server reports itself as serving
     */
    public static GrpcServer start(
            GrpcConfig config,
            String ownWorkers,
            List<BindableService> services,
            Set<String> waitFreeMethods,
            RpcMemory memory,
            CallGuards guards,
            CallMetrics metrics,
            Telemetry telemetry,
            BooleanSupplier healthy) {
        HealthStatusManager health = new HealthStatusManager();
        MemoryInterceptor memoryOfCalls = new MemoryInterceptor(memory, guards.strangers());
        UnaryOperator<NettyServerBuilder> served = builder -> serve(
                limit(builder, memory).addStreamTracerFactory(memoryOfCalls),
                services,
                health,
                // From the inside to the outside.
                Stream.concat(
                                guards.checks().stream(),
                                Stream.of(
                                        new ErrorInterceptor(),
                                        new CallThreads(waitFreeMethods),
                                        guards.authentication(),
                                        memoryOfCalls,
                                        metrics,
                                        new CallTraces(telemetry)))
                        .toList());
        NettyServerBuilder outside =
                served.apply(NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), config.port())));
        ServerTls tls = ServerTls.protect(outside, config);
        Server server = start(outside.build(), config, tls);
        Server inside = startInside(served.apply(InProcess.server(ownWorkers)).build());
        Loop healthLoop = Loop.start("health", HEALTH_INTERVAL, () -> report(health, healthy.getAsBoolean()));
        return new GrpcServer(server, inside, health, healthLoop, memoryOfCalls, tls);
    }

    private static NettyServerBuilder limit(NettyServerBuilder builder, RpcMemory memory) {
        return builder.directExecutor()
                .maxInboundMessageSize(messageBytesMax(memory))
                .flowControlWindow(CALL_WINDOW_BYTES)
                .handshakeTimeout(HANDSHAKE_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .addTransportFilter(new ConnectionLimit(connectionsMax()))
                .maxInboundMetadataSize(METADATA_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .keepAliveTime(KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(PERMITTED_KEEPALIVE_TIME.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true);
    }

    private static NettyServerBuilder serve(
            NettyServerBuilder builder,
            List<BindableService> services,
            HealthStatusManager health,
            List<ServerInterceptor> interceptors) {
        interceptors.forEach(builder::intercept);
        builder.addService(ReadableRequests.of(health.getHealthService().bindService()))
                .addService(ReadableRequests.of(
                        ProtoReflectionServiceV1.newInstance().bindService()));
        services.forEach(service -> builder.addService(ReadableRequests.of(WeighedRequests.of(service.bindService()))));
        return builder;
    }

    /** The port on which the server listens. */
    public int port() {
        return server.getPort();
    }

    /** Reports whether commits survive a failure of the database's machine. The server serves in any case. */
    public void reportDurability(boolean isDurable) {
        health.setStatus(DURABILITY, isDurable ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    /** Reports the server as not serving and rejects new calls. Calls in progress continue. */
    public void drain() {
        if (draining.compareAndSet(false, true)) {
            healthLoop.close();
            health.enterTerminalState();
            server.shutdown();
            ownWorkers.shutdown();
        }
    }

    /** Drains, waits at most {@link #CALLS_END_WAIT_MAX} for calls in progress, then ends them. */
    @Override
    public void close() {
        drain();
        try {
            long deadline = System.nanoTime() + CALLS_END_WAIT_MAX.toNanos();
            for (Server each : List.of(server, ownWorkers)) {
                if (!each.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    each.shutdownNow();
                }
            }
        } catch (InterruptedException interrupted) {
            server.shutdownNow();
            ownWorkers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        memory.close();
        tls.close();
    }

    /**
     * Largest message that could ever be reserved, or that a worker may send. gRPC rejects larger ones by their length
     * alone.
     */
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

    private static Server startInside(Server server) {
        try {
            return server.start();
        } catch (IOException impossible) {
            throw new UncheckedIOException("Another scheduler of this process has the same target.", impossible);
        }
    }

    private static Server start(Server server, GrpcConfig config, ServerTls tls) {
        try {
            return server.start();
        } catch (IOException busy) {
            tls.close();
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    "Cannot listen on " + config.host() + ":" + config.port()
                            + ": another program has this port, or the address is not of this machine. Set millrace.grpc.port or millrace.grpc.host.",
                    busy);
        }
    }
}
