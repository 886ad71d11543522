package dev.millrace.cli.local;

import dev.millrace.cli.output.Terminal;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.SchedulerConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace server}: one scheduler. */
@Command(
        name = "server",
        description = "Start a scheduler: the queue and the flow engine, over gRPC, on a Postgres of yours.")
public final class ServerCommand extends ServiceCommand {
    @Option(
            names = "--database",
            paramLabel = "URL",
            description =
                    "Database, for example postgres://user:password@host/millrace (MILLRACE_DATABASE_URL, DATABASE_URL).")
    private @Nullable String database;

    @Option(names = "--grpc-host", paramLabel = "HOST", description = "Address to listen on (MILLRACE_GRPC_HOST).")
    private @Nullable String grpcHost;

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            description = "Port to listen on, 0 for a free one (MILLRACE_GRPC_PORT; default: 8401).")
    private @Nullable Integer grpcPort;

    public ServerCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void start(ServiceStack services, ServiceOptions options) {
        Flags flags = new Flags()
                .with("millrace.database.url", database)
                .with("millrace.grpc.host", grpcHost)
                .with("millrace.grpc.port", grpcPort);
        Scheduler scheduler =
                services.start(() -> Scheduler.start(SchedulerConfig.load(flags.settings(), options.config())));
        announce("The scheduler serves gRPC on port " + scheduler.port() + ".");
    }
}
