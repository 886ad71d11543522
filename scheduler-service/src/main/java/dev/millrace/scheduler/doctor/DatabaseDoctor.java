package dev.millrace.scheduler.doctor;

import dev.millrace.scheduler.config.DatabaseConfig;
import dev.millrace.scheduler.database.ServerAddress;
import dev.millrace.scheduler.doctor.DatabaseFacts.LiveWorker;
import dev.millrace.scheduler.error.MillraceException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Examines the database of an installation: its settings, its clock, its workers, and what is stuck in it. */
public final class DatabaseDoctor {
    private static final int SERVER_VERSION_MIN = 140_000;
    private static final int VERSION_PARTS = 10_000;
    /** Difference of clocks that nobody notices. */
    private static final Duration CLOCKS_APART_OK = Duration.ofSeconds(1);
    /** Difference of clocks from which logs and times in lists mislead. */
    private static final Duration CLOCKS_APART_MAX = Duration.ofMinutes(1);

    private static final double CONNECTIONS_SHARE_MAX = 0.8;
    private static final double TRANSACTION_IDS_MAX = 0.5;
    private static final Duration TRANSACTION_AGE_MAX = Duration.ofMinutes(10);
    /** Lanes, the listener for notifications, and probes of one scheduler: connections besides its two pools. */
    private static final int CONNECTIONS_BESIDE_POOLS = 4;

    private static final int PERCENT = 100;
    private static final String SETTINGS = "database settings";
    private static final String CONNECTIONS = "database connections";
    private static final String VACUUM = "database vacuum";
    private static final String WORKERS = "workers";

    private DatabaseDoctor() {}

    /**
     * Connects, reads and judges. A database that cannot be reached is a finding, too.
     *
     * @param lanes number of lanes of a scheduler
     * @param version version of this program, which workers should have, too
     */
    public static List<Finding> examine(DatabaseConfig config, int lanes, String version) {
        String name = config.location().describe();
        try {
            List<ServerLook> servers = ServerStore.lookAt(config.location());
            Optional<ServerAddress> examined = ReplicationDoctor.examined(servers);
            if (examined.isEmpty()) {
                return List.of(unexamined(name, ReplicationDoctor.whyNoneAnswers(servers)));
            }
            DatabaseFacts facts = new DoctorStore(config.location(), examined.get(), InstantSource.system()).read();
            int needed = 2 * config.poolSize() + lanes + CONNECTIONS_BESIDE_POOLS;
            List<Finding> findings = new ArrayList<>();
            findings.add(Finding.ok("database", name + " answers."));
            findings.addAll(ReplicationDoctor.judge(servers));
            findings.addAll(judge(facts, needed, version));
            return findings;
        } catch (MillraceException failure) {
            return List.of(unexamined(name, String.valueOf(failure.getMessage())));
        }
    }

    private static Finding unexamined(String name, String why) {
        return Finding.error(
                "database",
                name + " cannot be examined: " + why,
                "Start Postgres, or correct its address and password in millrace.database.url.");
    }

    /**
     * Judges facts.
     *
     * @param connectionsNeeded connections that one scheduler may open
     */
    static List<Finding> judge(DatabaseFacts facts, int connectionsNeeded, String version) {
        List<Finding> findings = new ArrayList<>();
        findings.add(serverVersion(facts));
        findings.add(clock(facts));
        findings.addAll(durability(facts));
        findings.add(connections(facts, connectionsNeeded));
        findings.addAll(vacuum(facts));
        findings.add(schema(facts));
        if (!facts.schemaVersion().isEmpty()) {
            findings.add(workers(facts, version));
            findings.add(unserved(facts));
            findings.add(paused(facts));
            findings.add(drained(facts));
            findings.add(stuck(facts));
            findings.add(missing(facts));
        }
        return findings;
    }

    private static Finding serverVersion(DatabaseFacts facts) {
        String text = facts.serverVersion() / VERSION_PARTS + "." + facts.serverVersion() % VERSION_PARTS;
        if (facts.serverVersion() < SERVER_VERSION_MIN) {
            return Finding.error(
                    "database version",
                    "Postgres is version " + text + ".",
                    "Upgrade Postgres to version 14 or newer.");
        }
        return facts.isReadOnly()
                ? Finding.error(
                        "database version",
                        "Postgres " + text + " rejects writes: it is a standby, or read-only by its settings.",
                        "Name the primary in millrace.database.url, or set default_transaction_read_only = off.")
                : Finding.ok("database version", "Postgres is version " + text + ".");
    }

    private static Finding clock(DatabaseFacts facts) {
        Duration apart = facts.clockAhead().abs().minus(facts.clockTolerance());
        String text = "The clock of Postgres is " + seconds(facts.clockAhead().abs())
                + (facts.clockAhead().isNegative() ? " behind" : " ahead of") + " the clock of this machine.";
        if (apart.compareTo(CLOCKS_APART_OK) <= 0) {
            return Finding.ok("clock", "The clocks of Postgres and this machine agree.");
        }
        String advice = "Synchronize both machines by NTP. Schedules and leases follow the clock of Postgres.";
        return apart.compareTo(CLOCKS_APART_MAX) > 0
                ? Finding.error("clock", text, advice)
                : Finding.warning("clock", text, advice);
    }

    private static List<Finding> durability(DatabaseFacts facts) {
        List<Finding> findings = new ArrayList<>();
        for (String name : List.of("fsync", "full_page_writes", "synchronous_commit")) {
            if (facts.setting(name).equals("off")) {
                findings.add(Finding.error(
                        SETTINGS,
                        name + " is off: Postgres may lose accepted runs and results if its machine fails.",
                        "Set " + name + " = on in postgresql.conf and reload Postgres."));
            }
        }
        if (findings.isEmpty()) {
            findings.add(
                    Finding.ok(SETTINGS, "fsync, full_page_writes and synchronous_commit protect what was accepted."));
        }
        return findings;
    }

    private static Finding connections(DatabaseFacts facts, int needed) {
        int max = Integer.parseInt(facts.setting("max_connections"));
        if (max < needed) {
            return Finding.error(
                    CONNECTIONS,
                    "max_connections is " + max + ", but one scheduler may open " + needed + " connections.",
                    "Raise max_connections to at least " + needed
                            + " for each scheduler, or lower millrace.database.pool-size.");
        }
        String text =
                facts.connections() + " of " + max + " connections are open; one scheduler may open " + needed + ".";
        return facts.connections() > max * CONNECTIONS_SHARE_MAX
                ? Finding.warning(
                        CONNECTIONS, text, "Raise max_connections, or find who holds them in pg_stat_activity.")
                : Finding.ok(CONNECTIONS, text);
    }

    private static List<Finding> vacuum(DatabaseFacts facts) {
        List<Finding> findings = new ArrayList<>();
        for (String name : List.of("autovacuum", "track_counts")) {
            if (facts.setting(name).equals("off")) {
                findings.add(Finding.error(
                        VACUUM,
                        name + " is off: the queue grows with each job and becomes slow.",
                        "Set " + name + " = on in postgresql.conf and reload Postgres."));
            }
        }
        facts.deadRows()
                .forEach((table, rows) -> findings.add(Finding.warning(
                        VACUUM,
                        String.format(Locale.ROOT, "%s has %,d dead rows.", table, rows),
                        "See whether vacuum is held up by an old transaction, a replication slot or a prepared"
                                + " transaction; then run VACUUM " + table + ".")));
        if (facts.oldestTransaction().compareTo(TRANSACTION_AGE_MAX) > 0) {
            findings.add(Finding.warning(
                    VACUUM,
                    "A transaction has been open for "
                            + facts.oldestTransaction().toMinutes()
                            + " min: vacuum cannot remove what has changed since.",
                    "Find it in pg_stat_activity by xact_start, and end it with pg_terminate_backend."));
        }
        if (facts.transactionIdsUsed() > TRANSACTION_IDS_MAX) {
            findings.add(Finding.error(
                    VACUUM,
                    Math.round(facts.transactionIdsUsed() * PERCENT)
                            + " % of the transaction ids are used; Postgres stops writing before 100 %.",
                    "Run VACUUM FREEZE, and see why autovacuum has not done so."));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(VACUUM, "Autovacuum keeps up."));
        }
        return findings;
    }

    private static Finding schema(DatabaseFacts facts) {
        return facts.schemaVersion().isEmpty()
                ? Finding.warning(
                        "database schema",
                        "Millrace has not used this database.",
                        "Start a scheduler, which creates the schema; or name another database.")
                : Finding.ok("database schema", "The schema is at version " + facts.schemaVersion() + ".");
    }

    private static Finding workers(DatabaseFacts facts, String version) {
        if (facts.workers().isEmpty()) {
            return Finding.warning(WORKERS, "No worker is connected.", "Start one with `millrace worker`.");
        }
        Map<String, TreeSet<String>> byVersion = facts.workers().stream()
                .collect(Collectors.groupingBy(
                        LiveWorker::version,
                        TreeMap::new,
                        Collectors.mapping(LiveWorker::name, Collectors.toCollection(TreeSet::new))));
        if (byVersion.size() == 1 && byVersion.containsKey(version)) {
            return Finding.ok(WORKERS, facts.workers().size() + " connected, all of version " + version + ".");
        }
        return Finding.warning(
                WORKERS,
                "Versions differ from this program's, which is " + version + ": "
                        + byVersion.entrySet().stream()
                                .map(each -> each.getKey() + " (" + String.join(", ", each.getValue()) + ")")
                                .collect(Collectors.joining("; "))
                        + ".",
                "Upgrade the schedulers first, then the workers. Workers in other languages have versions of their own.");
    }

    private static Finding unserved(DatabaseFacts facts) {
        if (facts.unserved().isEmpty()) {
            return Finding.ok("queue", "Each tag with waiting jobs has a worker.");
        }
        String tags = facts.unserved().stream()
                .map(each -> each.tag() + " (" + each.jobs() + ", the oldest for "
                        + each.oldest().toMinutes() + " min)")
                .collect(Collectors.joining(", "));
        return Finding.error(
                "queue",
                "Jobs wait for tags that no worker serves: " + tags + ".",
                "Start a worker with such slots, as in `millrace worker --slots "
                        + facts.unserved().getFirst().tag() + "=2`.");
    }

    private static Finding paused(DatabaseFacts facts) {
        if (facts.pausedTags().isEmpty()) {
            return Finding.ok("pauses", "No tag has been paused for an hour.");
        }
        String tags = facts.pausedTags().stream()
                .map(each -> each.tag() + " (by " + each.actor() + " for "
                        + each.age().toHours() + " h"
                        + (each.reason().isEmpty() ? "" : ": " + each.reason())
                        + (each.hasJobs() ? "; jobs wait" : "") + ")")
                .collect(Collectors.joining(", "));
        return Finding.warning(
                "pauses",
                "Tags are paused, so nobody gets their jobs: " + tags + ".",
                "Resume them if the reason is gone, as in `millrace queues resume "
                        + facts.pausedTags().getFirst().tag() + "`.");
    }

    private static Finding drained(DatabaseFacts facts) {
        if (facts.drained().isEmpty()) {
            return Finding.ok("drains", "No worker has been drained for an hour.");
        }
        String workers = facts.drained().stream()
                .map(each -> each.name() + " (by " + each.actor() + " for "
                        + each.age().toHours() + " h" + (each.reason().isEmpty() ? "" : ": " + each.reason()) + ")")
                .collect(Collectors.joining(", "));
        return Finding.warning(
                "drains",
                "Workers are drained, so they get no more jobs: " + workers + ".",
                "Stop them, or resume them, as in `millrace workers resume "
                        + facts.drained().getFirst().name() + "`.");
    }

    private static Finding stuck(DatabaseFacts facts) {
        return facts.stuckRuns().isEmpty()
                ? Finding.ok("runs", "No run in progress is without jobs.")
                : Finding.error(
                        "runs",
                        "Runs in progress for an hour have no jobs and no waits: "
                                + String.join(", ", facts.stuckRuns()) + ".",
                        "See why with `millrace runs explain ID`, and restart them with `millrace runs restart ID`.");
    }

    private static Finding missing(DatabaseFacts facts) {
        return facts.missing().isEmpty()
                ? Finding.ok("references", "The secrets and resources of flows, triggers and alerts exist.")
                : Finding.warning(
                        "references",
                        "Secrets or resources are needed that do not exist: "
                                + facts.missing().stream()
                                        .map(DatabaseFacts.Missing::text)
                                        .collect(Collectors.joining(", "))
                                + ".",
                        "Set them, as in `millrace secrets set PATH`, or change what refers to them.");
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1_000.0);
    }
}
