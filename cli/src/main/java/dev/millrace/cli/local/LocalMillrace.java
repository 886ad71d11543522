package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.gateway.Gateway;
import dev.millrace.gateway.GatewayConfig;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.SchedulerConfig;
import io.smallrye.config.SmallRyeConfig;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** Database, scheduler, gateway and one worker in this process, connected as they would be over a network. */
public final class LocalMillrace implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String WORKER_NAME = "local";
    private static final Duration WORKER_CONNECT_TIMEOUT = Duration.ofSeconds(20);

    private final ServiceStack services;
    private final String databaseUrl;
    private final int grpcPort;
    private final int httpPort;

    private LocalMillrace(ServiceStack services, String databaseUrl, int grpcPort, int httpPort) {
        this.services = services;
        this.databaseUrl = databaseUrl;
        this.grpcPort = grpcPort;
        this.httpPort = httpPort;
    }

    /**
     * Starts everything and waits until it can take runs. It is stopped by {@link #close} or by a signal to this process.
     *
     * @param progress hears, in a few words, what is being started
     */
    public static LocalMillrace start(LocalPlan plan, Consumer<String> progress) {
        ServiceStack services = new ServiceStack();
        services.closeOnSignal();
        try {
            return start(plan, services, progress);
        } catch (RuntimeException failure) {
            services.close();
            throw failure;
        }
    }

    private static LocalMillrace start(LocalPlan plan, ServiceStack services, Consumer<String> progress) {
        Map<String, String> environment = System.getenv();
        String databaseUrl = plan.databaseUrl().orElseGet(() -> {
            progress.accept("Starting Postgres");
            return services.start(() -> database(plan)).url();
        });
        progress.accept("Starting the scheduler");
        Flags schedulerFlags = new Flags()
                .with("millrace.database.url", databaseUrl)
                .with(ServerTasks.GRPC_HOST, LOOPBACK)
                .with("millrace.grpc.port", plan.grpcPort());
        Scheduler scheduler =
                services.start(() -> Scheduler.start(SchedulerConfig.load(schedulerFlags.settings(), plan.config())));
        String target = LOOPBACK + ":" + scheduler.port();
        Flags taskFlags = new Flags().with(ServerTasks.GRPC_HOST, LOOPBACK);
        services.start(() -> ServerTasks.start(Settings.load(taskFlags, plan.config(), environment), scheduler.port()));
        progress.accept("Starting the gateway");
        Flags gatewayFlags =
                new Flags().with("millrace.http.port", plan.httpPort()).with("millrace.scheduler.target", target);
        Gateway gateway = services.start(
                () -> Gateway.start(GatewayConfig.from(Settings.load(gatewayFlags, plan.config(), environment))));
        progress.accept("Starting a worker");
        Flags workerFlags = new Flags()
                .with(WorkerSettings.SCHEDULER_TARGET, target)
                .with(WorkerSettings.NAME, WORKER_NAME)
                .with(HandlerSettings.HTTP_ALLOW_PRIVATE, plan.httpAllowPrivate() ? true : null);
        SmallRyeConfig workerConfig = Settings.load(workerFlags, plan.config(), environment);
        ReadyMadeWorker worker = services.start(() -> ReadyMadeWorker.start(
                WorkerSettings.read(workerConfig, environment), HandlerSettings.read(workerConfig)));
        awaitConnected(worker);
        return new LocalMillrace(services, databaseUrl, scheduler.port(), gateway.port());
    }

    public URI gatewayUrl() {
        return URI.create("http://localhost:" + httpPort);
    }

    public String databaseUrl() {
        return databaseUrl;
    }

    public int grpcPort() {
        return grpcPort;
    }

    @Override
    public void close() {
        services.close();
    }

    private static EmbeddedDatabase database(LocalPlan plan) {
        var binaries = plan.state().resolve("postgres");
        return plan.dataFolder()
                .map(data -> EmbeddedDatabase.persistent(data, binaries))
                .orElseGet(() -> EmbeddedDatabase.ephemeral(binaries));
    }

    private static void awaitConnected(ReadyMadeWorker worker) {
        try {
            if (!worker.awaitConnected(WORKER_CONNECT_TIMEOUT)) {
                throw new CommandFailure(
                        ExitCode.START_FAILED,
                        "The worker did not reach the scheduler. Look for the reason in the log above.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The start was interrupted.", e);
        }
    }
}
