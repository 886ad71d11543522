package dev.millrace.cli.local;

import dev.millrace.cli.output.Terminal;
import dev.millrace.metrics.Metrics;
import dev.millrace.metrics.OtlpExport;
import dev.millrace.worker.ScriptWorkerOptions;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace worker}: starts one worker. */
@Command(name = "worker", description = "Start a worker: it runs Python and Deno scripts in warm processes.")
public final class WorkerCommand extends ServiceCommand {
    @Option(
            names = "--scheduler",
            paramLabel = "HOST:PORT",
            description = "The scheduler (MILLRACE_SCHEDULER_TARGET; default: localhost:8401).")
    private @Nullable String scheduler;

    @Mixin
    private SchedulerTlsOptions tls = new SchedulerTlsOptions();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token of the worker, - for standard input (MILLRACE_WORKER_TOKEN_FILE).")
    private @Nullable String tokenFile;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name, for people (MILLRACE_WORKER_NAME; default: the host's).")
    private @Nullable String name;

    @Option(
            names = "--slots",
            paramLabel = "TAG=N,…",
            description =
                    "Jobs of each tag at once (MILLRACE_WORKER_SLOTS; default: python, deno and all other languages, one per processor each).")
    private @Nullable String slots;

    @Option(
            names = "--dedicated",
            paramLabel = "[WORKSPACE:][flow:]PATH[=N]",
            description = "Keep N processes ready for a script, or for each script of a flow; repeatable"
                    + " (MILLRACE_WORKER_DEDICATED).")
    private List<String> dedicated = List.of();

    @Option(
            names = "--http-allow-private",
            description =
                    "Let HTTP requests and Kafka messages of flows go to loopback, private and link-local addresses"
                            + " (MILLRACE_WORKER_HTTP_ALLOW_PRIVATE; default: public addresses only).")
    private boolean httpAllowPrivate;

    @Option(
            names = "--sql-allow-private",
            description =
                    "Let inputs of scripts in SQL name databases at loopback, private and link-local addresses, as resources may"
                            + " (MILLRACE_WORKER_SQL_ALLOW_PRIVATE; default: public addresses only).")
    private boolean sqlAllowPrivate;

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description =
                    "Properties for all Kafka producers, such as security.protocol (MILLRACE_WORKER_KAFKA_CONFIG).")
    private @Nullable Path kafkaConfig;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Serve metrics over HTTP on this port (MILLRACE_WORKER_METRICS_PORT; default: none).")
    private @Nullable Integer metricsPort;

    @Option(
            names = "--metrics-host",
            paramLabel = "HOST",
            description = "Address for metrics (MILLRACE_WORKER_METRICS_HOST; default: 127.0.0.1).")
    private @Nullable String metricsHost;

    public WorkerCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String service() {
        return "millrace-worker";
    }

    @Override
    void start(ServiceStack services, ServiceOptions options) {
        Flags flags = new Flags()
                .with(WorkerSettings.SCHEDULER_TARGET, scheduler)
                .with(SchedulerConnection.TOKEN_FILE, tokenFile)
                .with(WorkerSettings.NAME, name)
                .with(WorkerSettings.SLOTS, slots)
                .with(WorkerSettings.DEDICATED, dedicated.isEmpty() ? null : String.join(",", dedicated))
                .with(HandlerSettings.HTTP_ALLOW_PRIVATE, httpAllowPrivate ? true : null)
                .with(WorkerSettings.SQL_ALLOW_PRIVATE, sqlAllowPrivate ? true : null)
                .with(HandlerSettings.KAFKA_CONFIG, kafkaConfig)
                .with(MetricsPort.WORKER.portKey(), metricsPort)
                .with(MetricsPort.WORKER.hostKey(), metricsHost);
        tls.addTo(flags);
        Map<String, String> environment = System.getenv();
        Metrics metrics = Metrics.ofProcess();
        services.start(() -> {
            SmallRyeConfig config = settings(flags, options.config(), environment);
            ScriptWorkerOptions worker = WorkerSettings.read(config, environment);
            Path state = MillraceHome.stateFolder(environment);
            if (worker.folder().startsWith(state)) {
                PrivateFolder.make(state);
            }
            services.startIfAny(() -> MetricsPort.WORKER.start(config, metrics));
            services.startIfAny(() -> OtlpExport.start(metrics, service(), environment));
            announce("Worker " + worker.name() + " takes jobs from " + worker.target() + ".");
            ReadyMadeWorker readyMade = ReadyMadeWorker.prepare(worker, HandlerSettings.read(config));
            readyMade.measure(new WorkerMetrics(metrics));
            readyMade.connect();
            return readyMade;
        });
    }

    /** Reads standard input as settings, if it is to be read at all, before the token is read. */
    static SmallRyeConfig settings(Flags flags, Optional<Path> yaml, Map<String, String> environment) {
        if (yaml.filter(Settings::isStandardInput).isPresent()
                && SchedulerConnection.takesTokenFromStandardInput(
                        Settings.load(flags, Optional.empty(), environment))) {
            throw new IllegalArgumentException("--config and " + SchedulerConnection.TOKEN_FILE
                    + " are both \"-\", but standard input holds one of them: write the token into the configuration as "
                    + SchedulerConnection.TOKEN + ", and remove " + SchedulerConnection.TOKEN_FILE + ".");
        }
        return Settings.load(flags, yaml, environment);
    }
}
