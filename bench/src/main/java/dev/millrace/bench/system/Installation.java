package dev.millrace.bench.system;

import com.google.protobuf.ByteString;
import dev.millrace.bench.measure.Check;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.ListStepsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptResponse;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import io.grpc.ManagedChannel;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Millrace as in production, each service a process, on a separate database, with a gRPC client. Only submitting is
 * thread-safe.
 */
public final class Installation implements AutoCloseable {
    /** Longest wait of the client for the end of a run, which is the scheduler's maximum. */
    public static final int WAIT_SECONDS = 300;

    private static final int START_SECONDS = 180;
    private static final int PAGE_SIZE = 1000;
    private static final int MESSAGE_BYTES_MAX = 64 << 20;

    private final Postgres database;
    private final Cluster cluster;
    private final ClusterPlan plan;
    private final Access access;
    /** One channel for each scheduler. */
    private final List<ManagedChannel> channels;

    private final AtomicInteger nextChannel = new AtomicInteger();
    private final Map<Long, JvmProbe> probes = new HashMap<>();
    /** Shutdown hook: no process outlives this one. */
    private final Thread stopOnExit;

    private Installation(Postgres database, Cluster cluster, ClusterPlan plan, Access access) {
        this.database = database;
        this.cluster = cluster;
        this.plan = plan;
        this.access = access;
        this.stopOnExit = new Thread(cluster::close, "stop-processes");
        this.channels = IntStream.range(0, plan.schedulers())
                .mapToObj(cluster::schedulerAddress)
                .map(address -> access.connect(address, MESSAGE_BYTES_MAX))
                .toList();
    }

    /** Starts all services. Workers start once they have what they need to connect. */
    public static Installation start(DatabaseServer server, String name, ClusterPlan plan, Protection protection) {
        Postgres database = server.createDatabase();
        Access access = Access.prepare(protection, plan);
        ClusterPlan measured = access.settings(plan).withJvmFlag("-XX:-DisableAttachMechanism");
        Cluster cluster = Cluster.start("bench-" + name, database, measured.withWorkers());
        Installation installation = new Installation(database, cluster, measured, access);
        Runtime.getRuntime().addShutdownHook(installation.stopOnExit);
        access.admitWorkers(installation.channel());
        for (int i = 0; i < plan.workers().size(); i++) {
            cluster.startWorker("worker-" + i, plan.workers().get(i), Map.of());
        }
        return installation;
    }

    /** Starts a worker of the benchmark itself. Arguments: address, file with authorities, file with token; or "". */
    public ChildProcess startWorker(String name, Class<?> main) {
        var arguments = new ArrayList<String>();
        arguments.add(cluster.schedulerAddress(0));
        arguments.addAll(access.workerArguments());
        return ChildProcess.java(name, main, arguments);
    }

    /** A client that speaks REST to the gateway. */
    public GatewayClient gatewayClient() throws InterruptedException {
        return GatewayClient.connect(cluster.gatewayUrl(), access.ownerToken());
    }

    public Cluster cluster() {
        return cluster;
    }

    public Postgres database() {
        return database;
    }

    /** The channel to the first scheduler. */
    public ManagedChannel channel() {
        return channels.getFirst();
    }

    /** Stores a flow and its scripts as the current version of its name. Waits until the scheduler answers. */
    public void deploy(DeployFlowRequest flow) {
        FlowServiceGrpc.newBlockingStub(channel())
                .withWaitForReady()
                .withDeadlineAfter(START_SECONDS, TimeUnit.SECONDS)
                .deployFlow(flow)
                .getPreparationRunIdsList()
                .forEach(this::awaitPreparation);
    }

    /** Stores a script as the current version of its path. Waits until the scheduler answers. */
    public void deployScript(String path, String content) {
        var _ = deploy(path, content);
    }

    /** Deploys a script, and waits until its packages are chosen and installed. */
    public void deployScriptWithPackages(String path, String content) {
        String run = deploy(path, content).getPackageRunId();
        Check.that("the packages of " + path + " are chosen by a run", !run.isEmpty());
        awaitPreparation(run);
    }

    private void awaitPreparation(String run) {
        var runs = RunServiceGrpc.newBlockingStub(channel()).withDeadlineAfter(WAIT_SECONDS, TimeUnit.SECONDS);
        runs.watchRun(WatchRunRequest.newBuilder().setRunId(run).build()).forEachRemaining(_ -> {
            // Only the end of the stream matters.
        });
        Run ended =
                runs.getRun(GetRunRequest.newBuilder().setRunId(run).build()).getRun();
        Check.equal("the state of the preparation run " + ended.getName(), Run.State.STATE_SUCCEEDED, ended.getState());
    }

    private DeployScriptResponse deploy(String path, String content) {
        return ScriptServiceGrpc.newBlockingStub(channel())
                .withWaitForReady()
                .withDeadlineAfter(START_SECONDS, TimeUnit.SECONDS)
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath(path)
                        .setContent(ByteString.copyFromUtf8(content))
                        // So that no run reads the signature beside what is measured.
                        .setInputSchema(ByteString.copyFromUtf8("{\"type\":\"object\"}"))
                        .build());
    }

    /** Starts a run on the next scheduler in turn. The future completes at the end of the run. */
    public Future<SubmitRunResponse> start(RunSpec spec) {
        ManagedChannel channel = channels.get(Math.floorMod(nextChannel.getAndIncrement(), channels.size()));
        return RunServiceGrpc.newFutureStub(channel)
                .withDeadlineAfter(2 * WAIT_SECONDS, TimeUnit.SECONDS)
                .submitRun(waiting(spec));
    }

    /** Runs a flow and waits for its result. */
    public EndedRun call(String flow, String input) throws Exception {
        return end(start(Specs.flow(flow, input)));
    }

    /** Waits for the end of a started run. */
    public static EndedRun end(Future<SubmitRunResponse> started) throws Exception {
        return EndedRun.of(started.get().getRun());
    }

    /** Returns a request that is answered at the end of the run. */
    public static SubmitRunRequest waiting(RunSpec spec) {
        return SubmitRunRequest.newBuilder()
                .setSpec(spec)
                .setWait(com.google.protobuf.Duration.newBuilder().setSeconds(WAIT_SECONDS))
                .build();
    }

    /** Starts many runs in one call and returns their ids. */
    public List<String> submit(List<RunSpec> specs) {
        return RunServiceGrpc.newBlockingStub(channel())
                .withWaitForReady()
                .withDeadlineAfter(START_SECONDS, TimeUnit.SECONDS)
                .submitRuns(SubmitRunsRequest.newBuilder().addAllSpecs(specs).build())
                .getRunIdsList();
    }

    /** All steps of a run with their results. */
    public List<Step> steps(String runId) {
        RunServiceGrpc.RunServiceBlockingStub runs = RunServiceGrpc.newBlockingStub(channel());
        var steps = new ArrayList<Step>();
        String token = "";
        do {
            ListStepsResponse page = runs.listSteps(ListStepsRequest.newBuilder()
                    .setRunId(runId)
                    .setIncludePayloads(true)
                    .setPageSize(PAGE_SIZE)
                    .setPageToken(token)
                    .build());
            steps.addAll(page.getStepsList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return steps;
    }

    /** Queries one number. */
    public long ask(String sql) throws SQLException {
        return DatabaseServer.number(database, sql);
    }

    public JvmProbe schedulerProbe() {
        return probe(cluster.scheduler(0).pid());
    }

    /** Process ids of the services by name. */
    Map<String, Long> services() {
        var services = new LinkedHashMap<String, Long>();
        services.put("scheduler", cluster.scheduler(0).pid());
        if (!plan.workers().isEmpty()) {
            services.put("worker", cluster.worker(0).pid());
        }
        if (plan.gateway()) {
            services.put("gateway", cluster.gateway().pid());
        }
        return services;
    }

    /** Resources used by all processes so far. Call it only after all processes have done some work. */
    public Usage usage() throws SQLException {
        var cpu = new LinkedHashMap<String, Double>();
        var allocated = new LinkedHashMap<String, Double>();
        OptionalLong postgres = DatabaseServer.mainPid(database);
        postgres.ifPresent(pid -> cpu.put("postgres", CpuTimes.secondsOf(pid) + CpuTimes.secondsOfDescendants(pid)));
        long scheduler = cluster.scheduler(0).pid();
        cpu.put("scheduler", CpuTimes.secondsOf(scheduler));
        allocated.put("scheduler", (double) probe(scheduler).allocatedBytes());
        if (!plan.workers().isEmpty()) {
            long worker = cluster.worker(0).pid();
            cpu.put("worker", CpuTimes.secondsOf(worker));
            cpu.put("python", CpuTimes.secondsOfDescendants(worker));
            allocated.put("worker", (double) probe(worker).allocatedBytes());
        }
        cpu.put("client", CpuTimes.secondsOf(ProcessHandle.current().pid()));
        if (plan.gateway()) {
            cpu.put("gateway", CpuTimes.secondsOf(cluster.gateway().pid()));
        }
        return new Usage(
                // Counts transactions that wrote something, without the delay of the statistics.
                ask("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint"),
                ask("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"),
                cpu,
                allocated,
                Sockets.answers(scheduler, DatabaseServer.port(database)));
    }

    private JvmProbe probe(long pid) {
        return probes.computeIfAbsent(pid, JvmProbe::attach);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(stopOnExit);
        } catch (IllegalStateException exiting) {
            // The hook runs already, and may safely repeat the following.
        }
        probes.values().forEach(JvmProbe::close);
        channels.forEach(ManagedChannel::shutdownNow);
        cluster.close();
        database.close();
    }
}
