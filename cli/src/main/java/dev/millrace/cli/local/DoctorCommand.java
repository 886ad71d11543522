package dev.millrace.cli.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientOptions.Format;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.OutputCommand;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Paint;
import dev.millrace.cli.output.Terminal;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.doctor.DatabaseDoctor;
import dev.millrace.scheduler.doctor.Finding;
import dev.millrace.worker.ScriptWorker;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace doctor}: examines an installation, with the settings with which its services start. */
@Command(
        name = "doctor",
        description = {
            "Examine an installation: database, clock, workers, stuck runs, certificates, ports and disks.",
            "",
            "Reads the settings that the scheduler reads, and needs no running service. If they name no database, it examines"
                    + " the one of a running 'millrace dev'. It changes nothing. Exits with code 1 if it finds an error."
        })
public final class DoctorCommand extends OutputCommand {
    private static final List<String> CERTIFICATES = List.of(
            "millrace.grpc.tls.certificate",
            "millrace.grpc.tls.client-ca",
            "millrace.http.tls.certificate",
            "millrace.scheduler.tls.certificate",
            "millrace.scheduler.tls.ca");
    private static final List<String> KEYS =
            List.of("millrace.grpc.tls.key", "millrace.http.tls.key", "millrace.scheduler.tls.key");
    private static final String DATABASE = "millrace.database.url";
    private static final String DATABASE_URL = "DATABASE_URL";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ALL_ADDRESSES = "0.0.0.0";

    @Mixin
    private ServiceOptions options = new ServiceOptions();

    @Option(
            names = "--database",
            paramLabel = "URL",
            description =
                    "Database, for example postgres://user:password@host/millrace (MILLRACE_DATABASE_URL, DATABASE_URL).")
    private @Nullable String database;

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Where 'millrace dev' keeps its data (default: .millrace/data).")
    private @Nullable Path dataFolder;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port of the gateway, if the settings do not say it: that of 'millrace dev', for example.")
    private @Nullable Integer httpPort;

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            description = "Port of the scheduler, if the settings do not say it.")
    private @Nullable Integer grpcPort;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json (default: text).")
    private Format format = Format.TEXT;

    public DoctorCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected boolean wantsJson() {
        return format == Format.JSON;
    }

    @Override
    public Integer call() {
        LogLevel.quiet();
        List<Finding> findings = examine(System.getenv());
        boolean isHealthy = findings.stream().noneMatch(finding -> finding.level() == Finding.Level.ERROR);
        if (wantsJson()) {
            printJson(json(findings, isHealthy));
        } else {
            findings.forEach(this::show);
        }
        return (isHealthy ? ExitCode.OK : ExitCode.RUN_FAILED).number();
    }

    private List<Finding> examine(Map<String, String> environment) {
        Flags flags = new Flags().with(DATABASE, databaseUrl(environment));
        SchedulerConfig scheduler = loadScheduler(flags);
        SmallRyeConfig config = Settings.load(flags, options.config(), environment);
        List<Finding> findings =
                new ArrayList<>(DatabaseDoctor.examine(scheduler.database(), scheduler.lanes(), workerVersion()));
        CERTIFICATES.forEach(setting -> file(config, setting)
                .ifPresent(file -> findings.add(CertificateCheck.certificate(setting, file, Instant.now()))));
        KEYS.forEach(
                setting -> file(config, setting).ifPresent(file -> findings.add(CertificateCheck.key(setting, file))));
        findings.add(MachineCheck.port(
                "scheduler",
                reachable(scheduler.grpc().host()),
                grpcPort == null ? scheduler.grpc().port() : grpcPort,
                "millrace server"));
        findings.add(MachineCheck.port(
                "gateway",
                reachable(config.getOptionalValue("millrace.http.host", String.class)
                        .orElse(LOOPBACK)),
                httpPort == null
                        ? config.getOptionalValue("millrace.http.port", Integer.class)
                                .orElse(LocalPlan.HTTP_PORT_DEFAULT)
                        : httpPort,
                "millrace gateway"));
        findings.add(MachineCheck.disk("state", MillraceHome.stateFolder(environment)));
        if (dataFolder != null) {
            findings.add(MachineCheck.disk("data", dataFolder.toAbsolutePath()));
        }
        findings.add(MachineCheck.disk("temporary files", Path.of(System.getProperty("java.io.tmpdir"))));
        return findings;
    }

    /** Absent if the scheduler's settings name the database, or none is known. */
    private @Nullable String databaseUrl(Map<String, String> environment) {
        if (database != null
                || environment.containsKey(DATABASE_URL)
                || Settings.load(new Flags(), options.config(), environment)
                        .getOptionalValue(DATABASE, String.class)
                        .isPresent()) {
            return database;
        }
        Path data = dataFolder == null
                ? MillraceHome.stateFolder(environment).resolve("data")
                : dataFolder.toAbsolutePath();
        return EmbeddedDatabase.urlOfRunning(data).orElse(null);
    }

    /** The version that a worker of this program announces. */
    private static String workerVersion() {
        return Optional.ofNullable(ScriptWorker.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    private SchedulerConfig loadScheduler(Flags flags) {
        try {
            return SchedulerConfig.load(flags.settings(), options.config());
        } catch (RuntimeException failure) {
            throw StartFailures.of(failure);
        }
    }

    private static String reachable(String host) {
        return host.equals(ALL_ADDRESSES) ? LOOPBACK : host;
    }

    private static Optional<Path> file(SmallRyeConfig config, String setting) {
        return config.getOptionalValue(setting, String.class).map(Path::of);
    }

    private void show(Finding finding) {
        Paint paint = terminal().paint();
        String level = String.format(Locale.ROOT, "%-8s", finding.level().name().toLowerCase(Locale.ROOT));
        String painted = switch (finding.level()) {
            case OK -> paint.green(level);
            case WARNING -> paint.yellow(level);
            case ERROR -> paint.red(level);
        };
        print(painted + finding.text());
        if (!finding.advice().isEmpty()) {
            print("        " + finding.advice());
        }
    }

    private static ObjectNode json(List<Finding> findings, boolean isHealthy) {
        ObjectNode json = Json.object().put("healthy", isHealthy);
        ArrayNode items = json.putArray("findings");
        findings.forEach(finding -> items.addObject()
                .put("level", finding.level().name().toLowerCase(Locale.ROOT))
                .put("subject", finding.subject())
                .put("text", finding.text())
                .put("advice", finding.advice()));
        return json;
    }
}
