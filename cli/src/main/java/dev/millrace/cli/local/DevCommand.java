package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Token;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Paint;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.watch.Reload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace dev}: starts everything in one process, for development. */
@Command(
        name = "dev",
        description = {
            "Start everything in one process: Postgres, scheduler, gateway and a worker. Ctrl-C stops it.",
            "",
            "With folders, it deploys their scripts and flows, and each of them again as soon as it is saved. What is"
                    + " deleted stays deployed."
        })
public final class DevCommand implements Callable<Integer> {
    private static final Path EXAMPLE = Path.of("examples/hello/hello.py");

    private final Terminal terminal;

    @Parameters(
            paramLabel = "FOLDER",
            arity = "0..*",
            description = "Deploy the scripts and flows in this folder, and again when they are saved.")
    private List<Path> folders = List.of();

    @Mixin
    private ServiceOptions options = new ServiceOptions();

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port of the gateway, 0 for a free one (default: ${DEFAULT-VALUE}).")
    private int httpPort = LocalPlan.HTTP_PORT_DEFAULT;

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            description = "Port of the scheduler, 0 for a free one (default: ${DEFAULT-VALUE}).")
    private int grpcPort = LocalPlan.GRPC_PORT_DEFAULT;

    @Option(names = "--ephemeral", description = "Delete the data at the end.")
    private boolean isEphemeral;

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Where the embedded Postgres keeps its data (default: .millrace/data).")
    private @Nullable Path dataFolder;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "A Postgres of your own instead of the embedded one: postgres://user:password@host/database.")
    private @Nullable String database;

    @Option(
            names = "--http-allow-private",
            description =
                    "Let HTTP requests and Kafka messages of flows go to loopback, private and link-local addresses.")
    private boolean httpAllowPrivate;

    @Option(
            names = "--sql-allow-private",
            description =
                    "Let inputs of scripts in SQL name databases at loopback, private and link-local addresses, as resources may.")
    private boolean sqlAllowPrivate;

    @Option(
            names = "--require-auth",
            description = "Demand a token also of callers on this machine, for machines that several people share.")
    private boolean isTokenRequired;

    public DevCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (database != null && (isEphemeral || dataFolder != null)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--database names a Postgres that keeps its own data: leave out --ephemeral and --data-dir.");
        }
        Reload reload = new Reload(terminal, folders);
        LogLevel.quiet();
        try (LocalMillrace millrace = LocalMillrace.start(
                plan(System.getenv()), step -> terminal.err().println(step + " ..."))) {
            announce(millrace);
            if (!folders.isEmpty()) {
                try (MillraceClient client = new MillraceClient(connection(millrace))) {
                    reload.run(client);
                }
            }
            new CountDownLatch(1).await();
        }
        return ExitCode.OK.number();
    }

    private LocalPlan plan(Map<String, String> environment) {
        Path state = MillraceHome.stateFolder(environment);
        Path data = dataFolder == null ? state.resolve("data") : dataFolder.toAbsolutePath();
        return new LocalPlan(
                Optional.ofNullable(database),
                isEphemeral ? Optional.empty() : Optional.of(data),
                state,
                httpPort,
                grpcPort,
                httpAllowPrivate,
                sqlAllowPrivate,
                isTokenRequired,
                options.config());
    }

    private static Connection connection(LocalMillrace millrace) {
        return Connection.to(millrace.gatewayUrl())
                .with(millrace.ownerTokenFile().filter(Files::exists).map(DevCommand::token));
    }

    private static Token token(Path file) {
        try {
            return new Token(Files.readString(file).strip(), "the file " + file);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND, "The file " + file + " cannot be read. Check its permissions.", e);
        }
    }

    private void announce(LocalMillrace millrace) {
        Paint paint = terminal.paint();
        terminal.out().println();
        terminal.out().println(paint.bold("Millrace is ready.") + " Ctrl-C stops it.");
        line("console", millrace.gatewayUrl() + "/");
        line("REST", millrace.gatewayUrl() + "/api/v1");
        line("API docs", millrace.gatewayUrl() + "/docs/");
        line("metrics", millrace.gatewayUrl() + "/metrics");
        line("gRPC", "localhost:" + millrace.grpcPort());
        line(
                "Postgres",
                millrace.databaseUrl().replaceFirst("(://[^:/@]+):[^@]*@", "$1:***@")
                        + millrace.databasePasswordFile()
                                .map(file -> "  (password: " + file + ")")
                                .orElse(""));
        millrace.ownerTokenFile()
                .ifPresent(file -> line(
                        "token",
                        Files.exists(file)
                                ? file + "  (of the first owner)"
                                : "of any owner: " + file + ", which held that of the first owner, is gone"));
        if (millrace.isOpenToScripts()) {
            terminal.out().println();
            terminal.out()
                    .println(
                            "Whoever may deploy or run a script acts as the owner here: scripts run as the user of these files"
                                    + " without a sandbox. Install bubblewrap, or run scheduler and worker as users of their own.");
        }
        terminal.out().println();
        String server = millrace.gatewayUrl().getPort() == LocalPlan.HTTP_PORT_DEFAULT
                ? ""
                : " --server " + millrace.gatewayUrl();
        String token = millrace.ownerTokenFile()
                .map(file -> "MILLRACE_TOKEN_FILE=" + file + " ")
                .orElse("");
        terminal.out()
                .println("Try:  " + token + Launcher.NAME + " run " + example(System.getenv()) + " -i name=Ada"
                        + server);
    }

    /** The script as it can be named in the current folder, which may lie outside the checkout. */
    private static Path example(Map<String, String> environment) {
        Path inCheckout = MillraceHome.folder(environment).resolve(EXAMPLE);
        return Files.exists(EXAMPLE) || !Files.exists(inCheckout) ? EXAMPLE : inCheckout;
    }

    private void line(String name, String value) {
        terminal.out().println("  " + name + " ".repeat(Math.max(1, 10 - name.length())) + value);
    }
}
