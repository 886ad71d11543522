package dev.millrace.cli.local;

import static java.util.stream.Collectors.joining;

import dev.millrace.handler.sql.Mysql;
import dev.millrace.handler.sql.Postgresql;
import dev.millrace.handler.sql.SqlServerOptions;
import dev.millrace.handler.sql.Sqlite;
import dev.millrace.handler.sql.SqliteFolder;
import dev.millrace.text.Durations;
import dev.millrace.worker.ControlGroupChoice;
import dev.millrace.worker.DedicatedTarget;
import dev.millrace.worker.PackageSources;
import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.ScriptSandbox;
import dev.millrace.worker.ScriptSlots;
import dev.millrace.worker.ScriptWorkerOptions;
import dev.millrace.worker.language.EmbeddedLanguage;
import dev.millrace.worker.language.ScriptLanguage;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Settings of a worker, read from all configuration sources. */
final class WorkerSettings {
    static final String SCHEDULER_TARGET = "millrace.scheduler.target";
    static final String NAME = "millrace.worker.name";
    static final String SLOTS = "millrace.worker.slots";
    static final String PREFETCH = "millrace.worker.prefetch";
    static final String PROCESSES_MAX = "millrace.worker.processes-max";
    static final String STOP_TIMEOUT = "millrace.worker.stop-timeout";
    static final String GRACE = "millrace.worker.grace";
    static final String GRACE_MAX = "millrace.worker.grace-max";
    static final String FOLDER = "millrace.worker.folder";
    static final String PASSED_ENVIRONMENT = "millrace.worker.passed-environment";

    static final String LANGUAGE_FOLDER = "millrace.worker.language-folder";

    static final String PACKAGES = "millrace.worker.packages";
    static final String PACKAGE_BYTES_MAX = "millrace.worker.package-bytes-max";

    static final String PACKAGE_HOSTS = "millrace.worker.package-hosts";
    static final String IMPORT_HOSTS = "millrace.worker.import-hosts";

    static final String PYTHON_INTERPRETERS = "millrace.worker.python-interpreters";

    static final String DENO_PERMISSIONS = "millrace.worker.deno-permissions";

    static final String SQL_ALLOW_PRIVATE = "millrace.worker.sql-allow-private";
    static final String SQLITE_FOLDERS = "millrace.worker.sqlite-folders";

    static final String SANDBOX = "millrace.worker.sandbox";
    static final String SANDBOX_NETWORK = "millrace.worker.sandbox-network";
    static final String CONTROL_GROUPS = "millrace.worker.control-groups";

    static final String DEDICATED = "millrace.worker.dedicated";

    static final String SPARE_PROCESS = "millrace.worker.spare-process";

    private static final String TARGET_DEFAULT = "localhost:8401";
    private static final int PREFETCH_DEFAULT = 4;
    private static final String OWN_PREFIX = "millrace.worker.";
    /** All settings with the worker's prefix, including the scheduler's own ones about how it watches its workers. */
    private static final Set<String> KNOWN = Set.of(
            NAME,
            SLOTS,
            PREFETCH,
            PROCESSES_MAX,
            STOP_TIMEOUT,
            GRACE,
            GRACE_MAX,
            FOLDER,
            PASSED_ENVIRONMENT,
            LANGUAGE_FOLDER,
            PACKAGES,
            PACKAGE_BYTES_MAX,
            PACKAGE_HOSTS,
            IMPORT_HOSTS,
            PYTHON_INTERPRETERS,
            DENO_PERMISSIONS,
            SQL_ALLOW_PRIVATE,
            SQLITE_FOLDERS,
            SANDBOX,
            SANDBOX_NETWORK,
            CONTROL_GROUPS,
            SPARE_PROCESS,
            DEDICATED,
            MetricsPort.WORKER.portKey(),
            MetricsPort.WORKER.hostKey(),
            SchedulerConnection.TOKEN,
            SchedulerConnection.TOKEN_FILE,
            HandlerSettings.SLOTS,
            HandlerSettings.HTTP_ALLOW_PRIVATE,
            HandlerSettings.KAFKA_CONFIG,
            "millrace.worker.session-ttl",
            "millrace.worker.heartbeat-interval");

    private static final Pattern SLOT = Pattern.compile("([^=]+)=(\\d{1,5})");

    private WorkerSettings() {}

    static ScriptWorkerOptions read(SmallRyeConfig config, Map<String, String> environment) {
        config.getPropertyNames().forEach(WorkerSettings::refuseUnknown);
        ScriptWorkerOptions options = ScriptWorkerOptions.of(
                        text(config, SCHEDULER_TARGET).orElse(TARGET_DEFAULT))
                .withFolder(text(config, FOLDER)
                        .map(Path::of)
                        .orElseGet(() -> MillraceHome.stateFolder(environment).resolve("worker")));
        options = text(config, NAME).map(options::withName).orElse(options);
        int prefetch = config.getOptionalValue(PREFETCH, Integer.class).orElse(PREFETCH_DEFAULT);
        options = text(config, LANGUAGE_FOLDER)
                .map(Path::of)
                .map(LanguageFolder::load)
                .map(options::withLanguages)
                .orElse(options);
        List<EmbeddedLanguage> found = options.embedded();
        options = text(config, SQLITE_FOLDERS)
                .map(folders -> sqlite(found, folders))
                .map(options::withEmbedded)
                .orElse(options);
        options = options.withEmbedded(sqlServers(
                options.embedded(),
                new SqlServerOptions(config.getOptionalValue(SQL_ALLOW_PRIVATE, Boolean.class)
                        .orElse(false))));
        List<ScriptLanguage> languages = options.languages();
        List<EmbeddedLanguage> embedded = options.embedded();
        options = options.withSlots(text(config, SLOTS)
                .map(value -> slots(value, prefetch))
                .orElseGet(() -> slotsDefault(languages, embedded, prefetch)));
        options = config.getOptionalValue(PROCESSES_MAX, Integer.class)
                .map(options::withProcessesMax)
                .orElse(options);
        options = text(config, STOP_TIMEOUT)
                .map(value -> duration(STOP_TIMEOUT, value))
                .map(options::withStopTimeout)
                .orElse(options);
        options = text(config, GRACE)
                .map(value -> duration(GRACE, value))
                .map(options::withGrace)
                .orElse(options);
        options = text(config, GRACE_MAX)
                .map(value -> duration(GRACE_MAX, value))
                .map(options::withGraceMax)
                .orElse(options);
        options = text(config, PACKAGES)
                .map(WorkerSettings::packages)
                .map(options::withPackages)
                .orElse(options);
        options = config.getOptionalValue(PACKAGE_BYTES_MAX, Long.class)
                .map(options::withPackageBytesMax)
                .orElse(options);
        options = options.withPackageSources(new PackageSources(
                text(config, PACKAGE_HOSTS).map(value -> parts(value).toList()).orElse(List.of()),
                text(config, IMPORT_HOSTS)
                        .map(value -> parts(value).toList())
                        .orElse(PackageSources.DEFAULT.importHosts())));
        options =
                text(config, DENO_PERMISSIONS).map(options::withDenoPermissions).orElse(options);
        options = options.withSandbox(new ScriptSandbox(
                text(config, SANDBOX).map(WorkerSettings::sandbox).orElse(ScriptSandbox.Choice.NONE),
                config.getOptionalValue(SANDBOX_NETWORK, Boolean.class).orElse(false)));
        options = options.withControlGroups(
                text(config, CONTROL_GROUPS).map(WorkerSettings::controlGroups).orElse(ControlGroupChoice.NONE));
        options = config.getOptionalValue(SPARE_PROCESS, Boolean.class)
                .map(options::withSpareProcess)
                .orElse(options);
        options = options.withDedicated(
                text(config, DEDICATED).map(WorkerSettings::dedicated).orElse(List.of()));
        return options.withAccess(SchedulerConnection.read(config))
                .withJobLimits(JobLimitSettings.read(config))
                .withOtherPythons(text(config, PYTHON_INTERPRETERS)
                        .map(value -> parts(value).toList())
                        .orElse(List.of()))
                .withPassedEnvironment(text(config, PASSED_ENVIRONMENT)
                        .map(value -> parts(value).toList())
                        .orElse(List.of()));
    }

    private static List<DedicatedTarget> dedicated(String value) {
        try {
            return parts(value).map(DedicatedTarget::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(DEDICATED + ": " + e.getMessage(), e);
        }
    }

    /** The embedded languages, with these permissions for databases that are servers. */
    private static List<EmbeddedLanguage> sqlServers(List<EmbeddedLanguage> embedded, SqlServerOptions options) {
        return embedded.stream()
                .map(language -> switch (language) {
                    case Postgresql _ -> new Postgresql(options);
                    case Mysql _ -> new Mysql(options);
                    default -> language;
                })
                .toList();
    }

    /** The embedded languages, with these folders for databases of SQLite. */
    private static List<EmbeddedLanguage> sqlite(List<EmbeddedLanguage> embedded, String folders) {
        try {
            Sqlite sqlite = new Sqlite(parts(folders).map(SqliteFolder::parse).toList());
            return embedded.stream()
                    .map(language -> language instanceof Sqlite ? sqlite : language)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    SQLITE_FOLDERS + ": " + folders
                            + " (expected: absolute paths of folders, or WORKSPACE=PATH, separated by commas)",
                    e);
        }
    }

    private static ScriptSandbox.Choice sandbox(String value) {
        return Stream.of(ScriptSandbox.Choice.values())
                .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(value))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(SANDBOX + ": " + value + " (expected: none, auto or bwrap)"));
    }

    private static ControlGroupChoice controlGroups(String value) {
        return Stream.of(ControlGroupChoice.values())
                .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        CONTROL_GROUPS + ": " + value + " (expected: none, auto or required)"));
    }

    private static PythonPackageChoice packages(String value) {
        return Stream.of(PythonPackageChoice.values())
                .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        PACKAGES + ": " + value + " (expected: inferred, declared or none)"));
    }

    /** Parses {@code python=4,deno=4,gpu=1}: for each tag, how many of its jobs may run at once. */
    static List<ScriptSlots> slots(String text, int prefetchPerSlot) {
        return parts(text)
                .map(part -> {
                    Matcher matcher = SLOT.matcher(part);
                    if (!matcher.matches()) {
                        throw new IllegalArgumentException(
                                SLOTS + ": " + text + " (expected: TAG=COUNT, several separated by commas)");
                    }
                    int count = Integer.parseInt(matcher.group(2));
                    return ScriptSlots.of(matcher.group(1), count, count * prefetchPerSlot);
                })
                .toList();
    }

    private static List<ScriptSlots> slotsDefault(
            List<ScriptLanguage> languages, List<EmbeddedLanguage> embedded, int prefetchPerSlot) {
        int processors = Runtime.getRuntime().availableProcessors();
        int prefetch = processors * prefetchPerSlot;
        return List.of(
                ScriptSlots.of("python", processors, prefetch),
                ScriptSlots.of("deno", processors, prefetch),
                ScriptSlots.ofLanguages(languages, processors, prefetch),
                ScriptSlots.ofEmbedded(embedded));
    }

    private static Optional<String> text(SmallRyeConfig config, String key) {
        return config.getOptionalValue(key, String.class);
    }

    private static Duration duration(String key, String value) {
        return Durations.parse(value)
                .orElseThrow(() -> new IllegalArgumentException(
                        key + ": " + value + " (expected: a duration such as 250ms, 30s or 5m)"));
    }

    private static Stream<String> parts(String list) {
        return Stream.of(list.split(",", -1)).map(String::strip).filter(part -> !part.isEmpty());
    }

    /**
     * Rejects an unknown key. An environment variable is known under both spellings that the configuration library
     * lists.
     */
    private static void refuseUnknown(String name) {
        String key = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", ".");
        boolean isKnown = Stream.concat(KNOWN.stream(), JobLimitSettings.KNOWN.stream())
                .anyMatch(known -> known.replace('-', '.').equals(key));
        if (key.startsWith(OWN_PREFIX) && !isKnown) {
            throw new IllegalArgumentException("the key " + name + " is unknown (expected one of: "
                    + Stream.concat(KNOWN.stream(), JobLimitSettings.KNOWN.stream())
                            .sorted()
                            .collect(joining(", "))
                    + ")");
        }
    }
}
