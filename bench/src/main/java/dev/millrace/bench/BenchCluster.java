package dev.millrace.bench;

import com.google.protobuf.ByteString;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.EmbeddedServer;
import dev.millrace.harness.Postgres;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.job.v1.JobSpec;
import dev.millrace.proto.job.v1.JobTarget;
import dev.millrace.proto.job.v1.ListStepsRequest;
import dev.millrace.proto.job.v1.RunServiceGrpc;
import dev.millrace.proto.job.v1.Step;
import dev.millrace.proto.job.v1.SubmitRunRequest;
import dev.millrace.proto.job.v1.SubmitRunResponse;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A scheduler and a worker as production runs them, a durable Postgres of their own, and a gRPC client. */
record BenchCluster(EmbeddedServer server, Postgres postgres, Cluster cluster, ManagedChannel channel)
        implements AutoCloseable {
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final int PAGE_SIZE = 1000;

    static BenchCluster start(String workload) {
        EmbeddedServer server = EmbeddedServer.start();
        Postgres postgres = server.createDatabase();
        Cluster cluster = Cluster.start("bench-" + workload, postgres, ClusterPlan.fast());
        ManagedChannel channel = ManagedChannelBuilder.forTarget(cluster.schedulerAddress(0))
                .usePlaintext()
                .build();
        return new BenchCluster(server, postgres, cluster, channel);
    }

    /** Stores a flow and its scripts as the current version of its name; waits for the scheduler to answer. */
    void deploy(DeployFlowRequest flow) {
        FlowServiceGrpc.newBlockingStub(channel)
                .withWaitForReady()
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .deployFlow(flow);
    }

    /** Starts a run; the answer comes with its end. */
    Future<SubmitRunResponse> start(SubmitRunRequest request) {
        return RunServiceGrpc.newFutureStub(channel)
                .withDeadlineAfter(2 * WAIT.toSeconds(), TimeUnit.SECONDS)
                .submitRun(request);
    }

    static SubmitRunRequest flow(String path) {
        return SubmitRunRequest.newBuilder()
                .setSpec(JobSpec.newBuilder()
                        .setTarget(JobTarget.newBuilder().setFlowPath(path))
                        .setInput(ByteString.copyFromUtf8("{}")))
                .setWait(com.google.protobuf.Duration.newBuilder().setSeconds(WAIT.toSeconds()))
                .build();
    }

    List<Step> steps(String runId) {
        return RunServiceGrpc.newBlockingStub(channel)
                .listSteps(ListStepsRequest.newBuilder()
                        .setRunId(runId)
                        .setPageSize(PAGE_SIZE)
                        .build())
                .getStepsList();
    }

    /** Asks the database for one number. */
    long ask(String sql) throws SQLException {
        try (var connection = postgres.connect();
                var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        cluster.close();
        postgres.close();
        server.close();
    }
}
