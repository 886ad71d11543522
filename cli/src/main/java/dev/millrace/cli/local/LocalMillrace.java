package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.gateway.Gateway;
import dev.millrace.gateway.GatewayConfig;
import dev.millrace.metrics.Metrics;
import dev.millrace.metrics.OtlpExport;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.AccessConfig;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.tls.InProcess;
import dev.millrace.worker.SchedulerAccess;
import io.smallrye.config.SmallRyeConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Database, scheduler, gateway and one worker in this process. The worker is connected within the process, so that it
 * needs no token.
 */
public final class LocalMillrace implements AutoCloseable {
    /** The name of all services in this process to collectors of OpenTelemetry. */
    private static final String SERVICE = "millrace";

    private static final String LOOPBACK = "127.0.0.1";
    private static final String WORKER_NAME = "local";
    private static final Duration WORKER_CONNECT_TIMEOUT = Duration.ofSeconds(20);

    private final ServiceStack services;
    private final String databaseUrl;
    private final Optional<Path> databasePasswordFile;
    private final int grpcPort;
    private final int httpPort;
    private final Optional<Path> ownerTokenFile;
    private final OwnerFiles ownerFiles;

    private LocalMillrace(
            ServiceStack services,
            String databaseUrl,
            Optional<Path> databasePasswordFile,
            int grpcPort,
            int httpPort,
            Optional<Path> ownerTokenFile,
            OwnerFiles ownerFiles) {
        this.services = services;
        this.databaseUrl = databaseUrl;
        this.databasePasswordFile = databasePasswordFile;
        this.grpcPort = grpcPort;
        this.httpPort = httpPort;
        this.ownerTokenFile = ownerTokenFile;
        this.ownerFiles = ownerFiles;
    }

    /**
     * Starts everything and waits until runs can be submitted. {@link #close} or a signal to this process stops it.
     *
     * @param progress receives, in a few words, what is being started
     */
    public static LocalMillrace start(LocalPlan plan, Consumer<String> progress) {
        ServiceStack services = new ServiceStack();
        services.closeOnSignal();
        try {
            return start(plan, services, progress);
        } catch (MillraceException refused) {
            services.close();
            throw StartFailures.of(refused);
        } catch (RuntimeException failure) {
            services.close();
            throw failure;
        }
    }

    /** Starts gateway and worker while Postgres starts, which takes longest: they need only the scheduler's address. */
    private static LocalMillrace start(LocalPlan plan, ServiceStack services, Consumer<String> progress) {
        PrivateFolder.make(plan.state());
        // Fails at once if the folder is locked, before anything else has to be started and stopped.
        Optional<DataFolderLock> lock = plan.databaseUrl().isPresent()
                ? Optional.empty()
                : plan.dataFolder().map(data -> services.start(() -> DataFolderLock.acquire(data)));
        FreePort.require("gateway", plan.httpPort(), "--http-port");
        FreePort.require("scheduler", plan.grpcPort(), "--grpc-port");
        int grpcPort = plan.grpcPort() == 0 ? FreePort.any() : plan.grpcPort();
        String target = LOOPBACK + ":" + grpcPort;
        progress.accept("Starting Postgres, the gateway and a worker");
        // Threads that start services at the same time need the logging initialized.
        LoggerFactory.getILoggerFactory();
        ForeignLogs.redirect();
        services.startIfAny(() -> LogLevelFile.watch(System.getenv()));
        services.startIfAny(() -> LogExport.start(SERVICE));
        Metrics metrics = Metrics.ofProcess();
        ServiceStack.Beside<Gateway> startingGateway = services.startBeside(
                // Who needs a token for the API must not read without one what others run.
                () -> gateway(plan, target, isTokenRequired(plan) ? Metrics.ofProcess() : metrics));
        String ownWorkers = InProcess.newTarget();
        WorkerMetrics workerMetrics = new WorkerMetrics(metrics);
        ServiceStack.Beside<TrialWorker> startingWorker =
                services.startBeside(() -> TrialWorker.prepare(() -> worker(plan, ownWorkers), workerMetrics));
        Optional<EmbeddedDatabase> database = plan.databaseUrl().isPresent()
                ? Optional.empty()
                : Optional.of(services.start(() -> database(plan, lock)));
        String databaseUrl =
                plan.databaseUrl().or(() -> database.map(EmbeddedDatabase::url)).orElseThrow();
        progress.accept("Starting the scheduler");
        SchedulerConfig config = schedulerConfig(plan, databaseUrl, grpcPort);
        if (plan.dataFolder().isEmpty()) {
            services.start(() -> () -> Files.deleteIfExists(plan.ownerToken()));
        }
        services.start(() -> Scheduler.start(config, ownWorkers, metrics, Tracing.keeping()));
        services.start(() -> ServerTasks.start(settings(plan, new Flags()), ownWorkers));
        services.startIfAny(() -> OtlpExport.start(metrics, SERVICE, System.getenv()));
        Gateway gateway = services.await(startingGateway);
        awaitConnected(services.await(startingWorker).connect());
        return new LocalMillrace(
                services,
                databaseUrl,
                database.map(EmbeddedDatabase::passwordFile),
                grpcPort,
                gateway.port(),
                Optional.of(config.access())
                        .filter(AccessConfig::isTokenRequired)
                        .map(access -> access.ownerTokenFile().toAbsolutePath()),
                ownerFiles(plan));
    }

    public URI gatewayUrl() {
        return URI.create("http://localhost:" + httpPort);
    }

    /** Contains the password. */
    public String databaseUrl() {
        return databaseUrl;
    }

    /** The file whose first line is the password of the embedded database. */
    public Optional<Path> databasePasswordFile() {
        return databasePasswordFile;
    }

    /** The file with the token of the first owner; absent if callers on this machine need none. */
    public Optional<Path> ownerTokenFile() {
        return ownerTokenFile;
    }

    /** Whether scripts can read the token of the owner, the keys of secrets and the password of the database. */
    public boolean isOpenToScripts() {
        return ownerFiles == OwnerFiles.READABLE;
    }

    public int grpcPort() {
        return grpcPort;
    }

    @Override
    public void close() {
        services.close();
    }

    private static EmbeddedDatabase database(LocalPlan plan, Optional<DataFolderLock> lock) {
        return lock.map(held -> EmbeddedDatabase.persistent(held, plan.postgresBinaries()))
                .orElseGet(() -> EmbeddedDatabase.ephemeral(plan.postgresBinaries()));
    }

    private static SchedulerConfig schedulerConfig(LocalPlan plan, String databaseUrl, int grpcPort) {
        Flags flags = new Flags()
                .with("millrace.database.url", databaseUrl)
                .with("millrace.grpc.host", LOOPBACK)
                .with("millrace.grpc.port", grpcPort)
                .with("millrace.access.required", plan.isTokenRequired() ? true : null);
        SchedulerConfig config = SchedulerConfig.load(flags.settings(), plan.config());
        return config.withSecrets(config.secrets().withKeyFileDefault(plan.keys()))
                .withAccess(config.access().withOwnerTokenFileDefault(plan.ownerToken()))
                .withAlert(
                        plan.httpPort() == 0
                                ? config.alert()
                                : config.alert()
                                        .withConsoleUrlDefault(URI.create("http://localhost:" + plan.httpPort())));
    }

    private static Gateway gateway(LocalPlan plan, String target, Metrics metrics) {
        Flags flags = new Flags().with("millrace.http.port", plan.httpPort()).with("millrace.scheduler.target", target);
        return Gateway.start(GatewayConfig.from(settings(plan, flags)), metrics);
    }

    private static ReadyMadeWorker worker(LocalPlan plan, String target) {
        Flags flags = new Flags()
                .with(WorkerSettings.SCHEDULER_TARGET, target)
                .with(WorkerSettings.NAME, WORKER_NAME)
                .with(HandlerSettings.HTTP_ALLOW_PRIVATE, plan.httpAllowPrivate() ? true : null)
                .with(WorkerSettings.SQL_ALLOW_PRIVATE, plan.sqlAllowPrivate() ? true : null);
        SmallRyeConfig config = settings(plan, ownerFiles(plan).with(flags, settings(plan, flags)));
        return ReadyMadeWorker.prepare(
                WorkerSettings.read(config, System.getenv()).withAccess(SchedulerAccess.LOCAL),
                HandlerSettings.read(config));
    }

    private static OwnerFiles ownerFiles(LocalPlan plan) {
        return OwnerFiles.of(accessSettings(plan));
    }

    private static boolean isTokenRequired(LocalPlan plan) {
        return OwnerFiles.isTokenRequired(accessSettings(plan));
    }

    private static SmallRyeConfig accessSettings(LocalPlan plan) {
        return settings(plan, new Flags().with(OwnerFiles.REQUIRED, plan.isTokenRequired() ? true : null));
    }

    private static SmallRyeConfig settings(LocalPlan plan, Flags flags) {
        return Settings.load(flags, plan.config(), System.getenv());
    }

    private static void awaitConnected(ReadyMadeWorker worker) {
        try {
            if (!worker.awaitConnected(WORKER_CONNECT_TIMEOUT)) {
                throw new CommandFailure(
                        ExitCode.START_FAILED,
                        "The worker could not connect to the scheduler. The log above has the reason.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The start was interrupted.", e);
        }
    }
}
