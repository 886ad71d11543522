package dev.millrace.scheduler.testing;

import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import dev.millrace.metrics.Metrics;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.log.v1.LogServiceGrpc;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.tls.InProcess;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler with its own database and port, and clients for it. Registered with {@code @RegisterExtension}, it is
 * closed after the tests.
 */
public final class RunningScheduler extends ClosedAfterTests {
    private static final int MESSAGE_BYTES_MAX = 32 << 20;

    private final TestDatabase database = TestDatabase.migrated();
    private @Nullable Database opened;
    private final UnaryOperator<SchedulerConfig> settings;
    private final Metrics metrics = new Metrics();
    private final Scheduler scheduler;
    private final ManagedChannel channel;
    private final List<AutoCloseable> others = new ArrayList<>();

    public RunningScheduler() {
        this(config -> config);
    }

    /** @param settings changes the settings, for example so that tokens are needed */
    public RunningScheduler(UnaryOperator<SchedulerConfig> settings) {
        this.settings = settings;
        scheduler = Scheduler.start(
                settings.apply(database.schedulerConfig()), InProcess.newTarget(), metrics, Tracing.off());
        channel = channelTo(scheduler);
    }

    /** Starts another scheduler of the same database, with the same settings. It is closed with this one. */
    public ManagedChannel another() {
        Scheduler other = Scheduler.start(settings.apply(database.schedulerConfig()));
        ManagedChannel toOther = channelTo(other);
        others.add(toOther::shutdownNow);
        others.add(other);
        return toOther;
    }

    private static ManagedChannel channelTo(Scheduler scheduler) {
        return ManagedChannelBuilder.forAddress("localhost", scheduler.port())
                .usePlaintext()
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .build();
    }

    /** Creates workspaces. */
    public RunningScheduler withWorkspaces(String... names) {
        for (String name : names) {
            WorkspaceServiceGrpc.newBlockingStub(channel)
                    .createWorkspace(
                            CreateWorkspaceRequest.newBuilder().setName(name).build());
        }
        return this;
    }

    public ManagedChannel channel() {
        return channel;
    }

    /** The metrics of the scheduler, without those of its JVM. */
    public Metrics metrics() {
        return metrics;
    }

    public TestDatabase database() {
        return database;
    }

    /** Connection pool to the scheduler's database, closed together with the scheduler. */
    public Database open() {
        Database present = opened == null ? database.open() : opened;
        opened = present;
        return present;
    }

    public RunServiceGrpc.RunServiceBlockingStub runs() {
        return RunServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public OperationServiceGrpc.OperationServiceBlockingStub operations() {
        return OperationServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public FlowServiceGrpc.FlowServiceBlockingStub flows() {
        return FlowServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public ScriptServiceGrpc.ScriptServiceBlockingStub scripts() {
        return ScriptServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public LogServiceGrpc.LogServiceBlockingStub logs() {
        return LogServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    /** Submits a run to another scheduler of the same database. The other scheduler ends directly afterwards. */
    public Run submitToAnother(RunSpec spec) {
        try (Scheduler other = Scheduler.start(database.schedulerConfig())) {
            ManagedChannel toOther = ManagedChannelBuilder.forAddress("localhost", other.port())
                    .usePlaintext()
                    .build();
            try {
                return RunServiceGrpc.newBlockingStub(toOther)
                        .submitRun(SubmitRunRequest.newBuilder().setSpec(spec).build())
                        .getRun();
            } finally {
                toOther.shutdownNow();
            }
        }
    }

    /** A job for a handler. */
    public static RunSpec handler(String name, UnaryOperator<RunSpec.Builder> options) {
        RunTarget target = RunTarget.newBuilder().setHandler(name).build();
        return options.apply(RunSpec.newBuilder().setTarget(target)).build();
    }

    /** Fields that the error names. */
    public static List<String> violatedFields(StatusRuntimeException failure) {
        return detail(failure, BadRequest.class).getFieldViolationsList().stream()
                .map(BadRequest.FieldViolation::getField)
                .toList();
    }

    /** Reason of the error, such as {@code RUN_NOT_FOUND}. */
    public static String reason(StatusRuntimeException failure) {
        return detail(failure, ErrorInfo.class).getReason();
    }

    public static Status.Code code(StatusRuntimeException failure) {
        return failure.getStatus().getCode();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        others.forEach(RunningScheduler::closeOne);
        scheduler.close();
        if (opened != null) {
            opened.close();
        }
        database.close();
    }

    private static void closeOne(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static <T extends com.google.protobuf.Message> T detail(StatusRuntimeException failure, Class<T> type) {
        for (var detail :
                Objects.requireNonNull(StatusProto.fromThrowable(failure)).getDetailsList()) {
            if (detail.is(type)) {
                try {
                    return detail.unpack(type);
                } catch (com.google.protobuf.InvalidProtocolBufferException malformed) {
                    throw new IllegalStateException(malformed);
                }
            }
        }
        throw new AssertionError("no " + type.getSimpleName() + " in " + failure);
    }
}
