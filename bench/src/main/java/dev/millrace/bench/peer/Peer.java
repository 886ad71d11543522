package dev.millrace.bench.peer;

import static java.util.Objects.requireNonNull;

import dev.millrace.bench.system.ChildProcess;
import dev.millrace.harness.MillraceHome;
import dev.millrace.harness.Postgres;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * System for comparison: a program that runs one workload and prints its figures as JSON.
 *
 * @param name prefix of its figures
 * @param keeps what it stores of a job, needed to interpret the figures
 * @param folder folder below {@code bench/peers} where it is installed and run
 * @param installCommand command that installs it in the versions pinned there
 * @param runCommand command that runs it, without the arguments of a single run
 */
record Peer(String name, String keeps, String folder, List<String> installCommand, List<String> runCommand) {
    private static final Duration INSTALL_LIMIT = Duration.ofMinutes(5);
    private static final Duration RUN_LIMIT = Duration.ofMinutes(5);

    Peer {
        requireNonNull(name, "name is null");
        requireNonNull(keeps, "keeps is null");
        requireNonNull(folder, "folder is null");
        installCommand = List.copyOf(installCommand);
        runCommand = List.copyOf(runCommand);
    }

    static Peer graphileWorker(String mode) {
        return new Peer(
                "graphile_worker_" + mode,
                mode.equals("tuned")
                        ? "fsync; no history; in-process handler; jobs taken 500 at a time and completed in batches"
                        : "fsync; no history; in-process handler; each job taken and completed by itself",
                "graphile-worker",
                List.of("npm", "ci", "--no-audit", "--no-fund"),
                List.of("node"));
    }

    static Peer dbScheduler() {
        return java(
                "db_scheduler",
                "DbSchedulerBurn",
                "fsync; no history; in-process handler; each job completed by itself");
    }

    static Peer jobRunr() {
        return java("jobrunr", "JobRunrBurn", "fsync; history of each job in its row; in-process handler");
    }

    private static Peer java(String name, String main, String keeps) {
        return new Peer(
                name,
                keeps,
                "java",
                List.of(MillraceHome.find().path().resolve("mvnw").toString(), "-q", "-f", "pom.xml", "package"),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        "target/peers.jar" + File.pathSeparator + "target/lib/*",
                        "dev.millrace.bench.peers." + main));
    }

    /** Installs the system from the registries configured on this machine. */
    void install() throws Exception {
        try (ChildProcess process = ChildProcess.start("install-" + name, path(), installCommand, Map.of())) {
            process.awaitEnd(INSTALL_LIMIT);
        }
    }

    /** Runs the system on a database and returns its output. */
    String run(Postgres database, List<String> arguments) throws Exception {
        var whole = new ArrayList<>(runCommand);
        whole.addAll(arguments);
        Map<String, String> environment = Map.of("DATABASE_URL", DatabaseUrl.of(database.jdbcUrl()));
        try (ChildProcess process = ChildProcess.start(name, path(), whole, environment)) {
            return process.awaitEnd(RUN_LIMIT);
        }
    }

    private Path path() {
        return MillraceHome.find().path().resolve("bench/peers").resolve(folder);
    }
}
