package dev.millrace.harness;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes of one Millrace installation on one database. Not thread-safe. */
public final class Cluster implements AutoCloseable {
    private final List<Integer> grpcPorts = new ArrayList<>();
    private final List<ServiceProcess> schedulers = new ArrayList<>();
    private final List<ServiceProcess> workers = new ArrayList<>();
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<TcpProxy> workerWires = new ArrayList<>();
    private final int httpPort = FreePort.next();
    private final @Nullable ServiceProcess gateway;
    private final @Nullable TcpProxy gatewayWire;

    private final ClusterPlan plan;
    private final Path logs;

    private Cluster(String name, Postgres postgres, ClusterPlan plan) {
        this.plan = plan;
        logs = createFolder(Path.of("target", "clusters", name));
        for (int i = 0; i < plan.schedulers(); i++) {
            grpcPorts.add(FreePort.next());
            schedulers.add(process(
                    "scheduler-" + i,
                    plan,
                    logs,
                    List.of("server"),
                    Map.of(
                            "millrace.grpc.port", Integer.toString(grpcPorts.get(i)),
                            "millrace.database.url", postgres.jdbcUrl())));
        }
        gatewayWire = plan.gateway() && plan.proxied() ? wire(0) : null;
        gateway = !plan.gateway()
                ? null
                : process(
                        "gateway",
                        plan,
                        logs,
                        List.of("gateway"),
                        Map.of(
                                "millrace.http.port",
                                Integer.toString(httpPort),
                                "millrace.scheduler.target",
                                gatewayWire == null ? schedulerAddress(0) : address(gatewayWire.port())));
        for (int i = 0; i < plan.workers().size(); i++) {
            int scheduler = plan.workers().get(i);
            if (plan.proxied()) {
                workerWires.add(wire(scheduler));
            }
            workers.add(worker(
                    "worker-" + i,
                    plan.proxied() ? address(workerWires.get(i).port()) : schedulerAddress(scheduler),
                    Map.of(),
                    List.of("worker")));
        }
    }

    /**
     * Starts all processes and returns at once; the caller waits for those it needs. Logs go to
     * {@code target/clusters/NAME}.
     *
     * @throws IllegalStateException if workers would find no Deno, before any process starts
     */
    public static Cluster start(String name, Postgres postgres, ClusterPlan plan) {
        var cluster = new Cluster(requireNonNull(name, "name is null"), postgres, plan);
        cluster.all().forEach(ServiceProcess::start);
        return cluster;
    }

    /**
     * Starts one more worker, without a proxy, and returns at once.
     *
     * @param scheduler position of the scheduler to which it connects
     * @param settings of this worker alone
     */
    public ServiceProcess startWorker(String name, int scheduler, Map<String, String> settings) {
        return start(worker(name, schedulerAddress(scheduler), settings, List.of("worker")));
    }

    /**
     * Starts one more worker, whose standard input is a file, and returns at once.
     *
     * @param scheduler position of the scheduler to which it connects
     * @param settings of this worker alone
     * @param arguments options of the command line
     */
    public ServiceProcess startWorker(
            String name, int scheduler, Map<String, String> settings, List<String> arguments, Path input) {
        List<String> command = new ArrayList<>(List.of("worker"));
        command.addAll(arguments);
        ServiceProcess worker = worker(name, schedulerAddress(scheduler), settings, command);
        worker.readFrom(input);
        return start(worker);
    }

    private ServiceProcess start(ServiceProcess worker) {
        workers.add(worker);
        worker.start();
        return worker;
    }

    private ServiceProcess worker(String name, String target, Map<String, String> settings, List<String> command) {
        var all = new HashMap<>(plan.settings());
        all.putAll(settings);
        RequiredDeno.check(plan.home(), all, System.getenv().getOrDefault("PATH", ""));
        var own = new HashMap<>(settings);
        own.put("millrace.worker.name", name);
        own.put("millrace.worker.folder", logs.resolve(name).toAbsolutePath().toString());
        own.put("millrace.scheduler.target", target);
        return process(name, plan, logs, command, own);
    }

    /** The folder of the logs of all processes, and of the folders of the workers. */
    public Path folder() {
        return logs;
    }

    public ServiceProcess scheduler(int position) {
        return schedulers.get(position);
    }

    public ServiceProcess worker(int position) {
        return workers.get(position);
    }

    public ServiceProcess gateway() {
        return requireNonNull(gateway, "This cluster has no gateway.");
    }

    /** Host and port of a scheduler's gRPC services. */
    public String schedulerAddress(int position) {
        return address(schedulerPort(position));
    }

    /** Port of the scheduler's gRPC services. */
    public int schedulerPort(int position) {
        return grpcPorts.get(position);
    }

    /** The proxy between the gateway and its scheduler. Throws if the cluster has no gateway or no proxies. */
    public TcpProxy gatewayWire() {
        return requireNonNull(gatewayWire, "This cluster has no gateway, or no proxies.");
    }

    /** The proxy between a worker and its scheduler, in a cluster with proxies. */
    public TcpProxy workerWire(int position) {
        return workerWires.get(position);
    }

    private TcpProxy wire(int scheduler) {
        TcpProxy proxy = TcpProxy.to(schedulerPort(scheduler));
        proxies.add(proxy);
        return proxy;
    }

    private static String address(int port) {
        return "localhost:" + port;
    }

    public URI gatewayUrl() {
        return URI.create("http://localhost:" + httpPort);
    }

    /** Ends the workers before the schedulers, so that they can return their leases. */
    @Override
    public void close() {
        if (gateway != null) {
            gateway.beginClose();
        }
        end(workers);
        end(schedulers);
        if (gateway != null) {
            gateway.close();
        }
        proxies.forEach(TcpProxy::close);
    }

    private static void end(List<ServiceProcess> processes) {
        processes.forEach(ServiceProcess::beginClose);
        processes.forEach(ServiceProcess::close);
    }

    private List<ServiceProcess> all() {
        var all = new ArrayList<>(schedulers);
        if (gateway != null) {
            all.add(gateway);
        }
        all.addAll(workers);
        return all;
    }

    private static ServiceProcess process(
            String name, ClusterPlan plan, Path logs, List<String> arguments, Map<String, String> own) {
        var environment = new HashMap<String, String>();
        plan.settings().forEach((key, value) -> environment.put(variable(key), value));
        own.forEach((key, value) -> environment.put(variable(key), value));
        return new ServiceProcess(
                name, plan.home(), home -> home.command(plan.jvmFlags(), arguments), environment, logs);
    }

    /** The environment variable for a configuration key. */
    private static String variable(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    private static Path createFolder(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
