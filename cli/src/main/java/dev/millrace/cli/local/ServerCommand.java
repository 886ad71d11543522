package dev.millrace.cli.local;

import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.server.ServerStatusCommand;
import dev.millrace.metrics.Metrics;
import dev.millrace.metrics.OtlpExport;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.tls.InProcess;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace server}: starts one scheduler. */
@Command(
        name = "server",
        description = "Start a scheduler: the queue and the flow engine, over gRPC, on your own Postgres.",
        subcommands = ServerStatusCommand.class)
public final class ServerCommand extends ServiceCommand {
    @Option(
            names = "--database",
            paramLabel = "URL",
            description =
                    "Database, for example postgres://user:password@host/millrace (MILLRACE_DATABASE_URL, DATABASE_URL).")
    private @Nullable String database;

    @Option(
            names = "--grpc-host",
            paramLabel = "HOST",
            description = "Address to listen on (MILLRACE_GRPC_HOST; default: 127.0.0.1, this machine alone).")
    private @Nullable String grpcHost;

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            description = "Port to listen on, 0 for a free one (MILLRACE_GRPC_PORT; default: 8401).")
    private @Nullable Integer grpcPort;

    @Option(
            names = "--grpc-tls-certificate",
            paramLabel = "FILE",
            description = "Certificate for TLS, in PEM (MILLRACE_GRPC_TLS_CERTIFICATE).")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--grpc-tls-key",
            paramLabel = "FILE",
            description = "Key of that certificate (MILLRACE_GRPC_TLS_KEY).")
    private @Nullable Path tlsKey;

    @Option(
            names = "--grpc-tls-client-ca",
            paramLabel = "FILE",
            description = "Authority of certificates that clients must show (MILLRACE_GRPC_TLS_CLIENT_CA).")
    private @Nullable Path tlsClientAuthority;

    @Option(
            names = "--task-folder",
            paramLabel = "FOLDER",
            description = "Folder with jars of server tasks (MILLRACE_SCHEDULER_TASK_FOLDER; default: none).")
    private @Nullable Path taskFolder;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Serve metrics over HTTP on this port (MILLRACE_SCHEDULER_METRICS_PORT; default: none).")
    private @Nullable Integer metricsPort;

    @Option(
            names = "--metrics-host",
            paramLabel = "HOST",
            description = "Address for metrics (MILLRACE_SCHEDULER_METRICS_HOST; default: 127.0.0.1).")
    private @Nullable String metricsHost;

    @Option(
            names = "--require-auth",
            description = "Demand a token also of callers on this machine (MILLRACE_ACCESS_REQUIRED).")
    private boolean isTokenRequired;

    public ServerCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String service() {
        return "millrace-scheduler";
    }

    @Override
    void start(ServiceStack services, ServiceOptions options) {
        Flags flags = new Flags()
                .with("millrace.database.url", database)
                .with("millrace.grpc.host", grpcHost)
                .with("millrace.grpc.port", grpcPort)
                .with("millrace.access.required", isTokenRequired ? true : null)
                .with("millrace.grpc.tls.certificate", tlsCertificate)
                .with("millrace.grpc.tls.key", tlsKey)
                .with("millrace.grpc.tls.client-ca", tlsClientAuthority);
        String ownWorkers = InProcess.newTarget();
        Metrics metrics = Metrics.ofProcess();
        Scheduler scheduler = services.start(() -> Scheduler.start(
                SchedulerConfig.load(flags.settings(), options.config()), ownWorkers, metrics, Tracing.start()));
        Flags metricsFlags = new Flags()
                .with(MetricsPort.SCHEDULER.portKey(), metricsPort)
                .with(MetricsPort.SCHEDULER.hostKey(), metricsHost);
        services.startIfAny(() ->
                MetricsPort.SCHEDULER.start(Settings.load(metricsFlags, options.config(), System.getenv()), metrics));
        services.startIfAny(() -> OtlpExport.start(metrics, service(), System.getenv()));
        Flags taskFlags = new Flags().with(ServerTasks.FOLDER, taskFolder);
        services.start(
                () -> ServerTasks.start(Settings.load(taskFlags, options.config(), System.getenv()), ownWorkers));
        announce(new Listening("The scheduler serves gRPC", "--grpc-host", "MILLRACE_GRPC_HOST")
                .line(scheduler.host(), scheduler.port()));
    }
}
