package dev.millrace.gateway.testing;

import com.google.protobuf.Message;
import dev.millrace.proto.alert.v1.AlertServiceGrpc;
import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.eventhandler.v1.EventHandlerServiceGrpc;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RoleServiceGrpc;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.login.v1.DeviceServiceGrpc;
import dev.millrace.proto.login.v1.LoginServiceGrpc;
import dev.millrace.proto.login.v1.TrustServiceGrpc;
import dev.millrace.proto.operation.v1.PinServiceGrpc;
import dev.millrace.proto.queue.v1.QueueServiceGrpc;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.secret.v1.KeyServiceGrpc;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.proto.version.v1.VersionServiceGrpc;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Scheduler with its data in memory, behind real gRPC on a free port. */
public final class FakeScheduler implements AutoCloseable {

    public final FakeRuns runs = new FakeRuns();
    public final FakeOperations operations = new FakeOperations(runs);
    public final FakeLogs logs = new FakeLogs();
    public final FakeFlows flows = new FakeFlows();
    public final FakeScripts scripts = new FakeScripts();
    public final FakeBlobs blobs = new FakeBlobs();
    public final FakeSignals signals = new FakeSignals();
    public final FakeBulks bulks = new FakeBulks();
    /** Answers of the services that have no fake of their own. */
    public final CannedAnswers canned = new CannedAnswers(
            PrincipalServiceGrpc.getServiceDescriptor(),
            RoleServiceGrpc.getServiceDescriptor(),
            TokenServiceGrpc.getServiceDescriptor(),
            WorkspaceServiceGrpc.getServiceDescriptor(),
            QuotaServiceGrpc.getServiceDescriptor(),
            QueueServiceGrpc.getServiceDescriptor(),
            VersionServiceGrpc.getServiceDescriptor(),
            AuditServiceGrpc.getServiceDescriptor(),
            SecretServiceGrpc.getServiceDescriptor(),
            ResourceServiceGrpc.getServiceDescriptor(),
            KeyServiceGrpc.getServiceDescriptor(),
            LoginServiceGrpc.getServiceDescriptor(),
            DeviceServiceGrpc.getServiceDescriptor(),
            TrustServiceGrpc.getServiceDescriptor(),
            ScheduleServiceGrpc.getServiceDescriptor(),
            TriggerServiceGrpc.getServiceDescriptor(),
            AlertServiceGrpc.getServiceDescriptor(),
            EventHandlerServiceGrpc.getServiceDescriptor(),
            EventServiceGrpc.getServiceDescriptor());

    /** The headers of all calls. */
    public final List<Metadata> headers = new CopyOnWriteArrayList<>();
    /** All requests that have come. */
    public final List<Message> requests = new CopyOnWriteArrayList<>();

    public final HealthStatusManager health = new HealthStatusManager();

    /** Further calls on a connection wait until others have ended. */
    public static final int CALLS_PER_CONNECTION_MAX = 100;

    private static final int MESSAGE_BYTES_MAX = 32 * 1024 * 1024;

    private final Server server;
    private final int port;

    private FakeScheduler(int wantedPort) {
        var builder = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), wantedPort))
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .fallbackHandlerRegistry(canned)
                .intercept(new Recorder());
        for (BindableService service : new BindableService[] {
            runs,
            operations,
            logs,
            flows,
            scripts,
            blobs,
            signals,
            bulks,
            new FakeWorkers(),
            new FakeExplanations(),
            new FakeTraces(),
            new FakeServer(),
            // Refuse everything.
            new PinServiceGrpc.PinServiceImplBase() {},
            health.getHealthService()
        }) {
            builder.addService(service);
        }
        server = builder.build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        port = server.getPort();
    }

    private final class Recorder implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata sent, ServerCallHandler<Q, A> next) {
            headers.add(sent);
            return new SimpleForwardingServerCallListener<>(next.startCall(call, sent)) {
                @Override
                public void onMessage(Q message) {
                    requests.add((Message) message);
                    super.onMessage(message);
                }
            };
        }
    }

    public static FakeScheduler start() {
        return new FakeScheduler(0);
    }

    public static FakeScheduler startAt(int port) {
        return new FakeScheduler(port);
    }

    public int port() {
        return port;
    }

    public String target() {
        return "127.0.0.1:" + port();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
