package dev.millrace.scheduler.doctor;

import dev.millrace.scheduler.database.ServerAddress;
import dev.millrace.scheduler.doctor.ServerLook.Primary;
import dev.millrace.scheduler.doctor.ServerLook.Standby;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Judges whether the database survives the loss of a server. */
final class ReplicationDoctor {
    private static final String SERVERS = "database servers";
    private static final String STANDBYS = "standbys";

    /** The value of {@code synchronous_commit} with which commits wait for no standby; off is a fault of its own. */
    private static final String ONLY_HERE = "local";

    /** What a standby may be behind before somebody should look. */
    private static final Duration BEHIND_MAX = Duration.ofSeconds(10);

    private static final long BYTES_BEHIND_MAX = 64L << 20;
    private static final double MEBIBYTE = 1 << 20;

    private ReplicationDoctor() {}

    /** The primary with the highest timeline, which is the one that schedulers use; empty if there is none. */
    static Optional<Primary> primary(List<ServerLook> servers) {
        return servers.stream()
                .filter(Primary.class::isInstance)
                .map(Primary.class::cast)
                .max(Comparator.comparingLong(primary -> primary.lineage().timeline()));
    }

    /** The server to look into: the primary, or else one that answers; empty if none does. */
    static Optional<ServerAddress> examined(List<ServerLook> servers) {
        return primary(servers)
                .map(ServerLook::server)
                .or(() -> servers.stream()
                        .filter(ServerLook.Following.class::isInstance)
                        .map(ServerLook::server)
                        .findFirst());
    }

    /** Why the servers, of which none answers, do not. */
    static String whyNoneAnswers(List<ServerLook> servers) {
        List<ServerLook.Unreachable> away = servers.stream()
                .filter(ServerLook.Unreachable.class::isInstance)
                .map(ServerLook.Unreachable.class::cast)
                .toList();
        return away.size() == 1
                ? away.getFirst().why()
                : "none of its " + away.size() + " servers answers. "
                        + away.stream()
                                .map(each -> each.server() + ": " + sentence(each.why()))
                                .collect(Collectors.joining(" "));
    }

    /** @param servers in the order of the address; at least one of them answers */
    static List<Finding> judge(List<ServerLook> servers) {
        Optional<Primary> primary = primary(servers);
        List<Finding> findings = new ArrayList<>(servers(servers, primary));
        if (findings.isEmpty() && servers.size() > 1) {
            findings.add(Finding.ok(
                    SERVERS,
                    "All " + servers.size() + " servers answer, and "
                            + primary.orElseThrow().server() + " is the primary."));
        }
        primary.ifPresent(in -> findings.addAll(standbys(in, servers.size() > 1)));
        return findings;
    }

    private static List<Finding> servers(List<ServerLook> servers, Optional<Primary> primary) {
        List<Finding> findings = new ArrayList<>();
        if (primary.isEmpty() && servers.size() > 1) {
            findings.add(Finding.error(
                    SERVERS,
                    "None of the " + servers.size() + " servers is a primary: those that answer follow another server.",
                    "Promote one of them, or name the primary in millrace.database.url."));
        }
        for (ServerLook server : servers) {
            switch (server) {
                case ServerLook.Unreachable(ServerAddress name, String why) ->
                    findings.add(Finding.warning(
                            SERVERS,
                            name + " does not answer: " + sentence(why),
                            "Start it, or correct its address. Until then, one server fewer can take over."));
                case ServerLook.Following following ->
                    primary.flatMap(in -> outdating(in, following)).ifPresent(findings::add);
                case Primary other ->
                    primary.filter(in -> !in.equals(other))
                            .map(in -> second(in, other))
                            .ifPresent(findings::add);
            }
        }
        return findings;
    }

    /** A standby that is ahead of the primary follows a server that the doctor does not see. */
    private static Optional<Finding> outdating(Primary primary, ServerLook.Following standby) {
        return areOfOneCluster(primary.lineage(), standby.lineage())
                        && standby.lineage().timeline() > primary.lineage().timeline()
                ? Optional.of(Finding.error(
                        SERVERS,
                        standby.server() + " follows timeline "
                                + standby.lineage().timeline() + ", but " + primary.server() + " writes timeline "
                                + primary.lineage().timeline()
                                + ": a server that the address does not name has replaced it.",
                        "Stop " + primary.server() + ", and name the new primary in millrace.database.url."))
                : Optional.empty();
    }

    private static Finding second(Primary primary, Primary other) {
        if (!areOfOneCluster(primary.lineage(), other.lineage())) {
            return Finding.error(
                    SERVERS,
                    other.server() + " and " + primary.server()
                            + " both accept writes, and belong to different clusters.",
                    "Name the servers of one cluster in millrace.database.url.");
        }
        return Finding.error(
                SERVERS,
                other.server() + " accepts writes, but is an old primary: it writes timeline "
                        + other.lineage().timeline() + ", and " + primary.server() + " has replaced it with timeline "
                        + primary.lineage().timeline() + ".",
                "Stop " + other.server() + ", or make it a standby of " + primary.server() + ".");
    }

    private static boolean areOfOneCluster(ServerLook.Lineage one, ServerLook.Lineage other) {
        return one.system().equals(other.system());
    }

    private static List<Finding> standbys(Primary primary, boolean namesSeveral) {
        List<Finding> findings = new ArrayList<>();
        if (!primary.synchronousNames().isEmpty()
                && primary.standbys().stream().noneMatch(Standby::isSynchronous)
                && primary.standbys().stream()
                        .noneMatch(standby -> standby.state().isEmpty())) {
            return List.of(Finding.error(
                    STANDBYS,
                    "No synchronous standby is attached to " + primary.server()
                            + ", so no commit ends: synchronous_standby_names is " + primary.synchronousNames() + ".",
                    "Start the standby, or remove it from synchronous_standby_names and reload Postgres."));
        }
        if (primary.standbys().isEmpty()) {
            return List.of(
                    namesSeveral
                            ? Finding.warning(
                                    STANDBYS,
                                    "No standby is attached to " + primary.server()
                                            + ", although the address names several servers: none of them could take over.",
                                    "Make the other servers standbys of " + primary.server() + ".")
                            : Finding.ok(STANDBYS, "No standby is attached, so nothing takes over from this server."));
        }
        if (!primary.synchronousNames().isEmpty() && primary.synchronousCommit().equals(ONLY_HERE)) {
            findings.add(Finding.warning(
                    STANDBYS,
                    "synchronous_commit is " + ONLY_HERE
                            + ": commits do not wait for the synchronous standby, and a failover may lose some.",
                    "Set synchronous_commit = on in postgresql.conf and reload Postgres."));
        }
        primary.standbys().stream()
                .filter(ReplicationDoctor::isFarBehind)
                .map(
                        standby -> Finding.warning(
                                STANDBYS,
                                "The standby " + standby.name() + " is " + lag(standby) + " behind"
                                        + (standby.isStreaming() ? "." : ", and in the state " + standby.state() + "."),
                                "See its log, its disk and the network. A failover to it takes as long as it needs to catch up."))
                .forEach(findings::add);
        if (findings.isEmpty()) {
            findings.add(Finding.ok(
                    STANDBYS,
                    primary.standbys().stream()
                                    .map(ReplicationDoctor::describe)
                                    .collect(Collectors.joining(", ", "Attached: ", "."))
                            + (primary.synchronousNames().isEmpty()
                                    ? " Commits do not wait for them: a failover may lose the last ones."
                                    : "")));
        }
        return findings;
    }

    private static boolean isFarBehind(Standby standby) {
        return standby.bytesBehind() > BYTES_BEHIND_MAX || standby.behind().compareTo(BEHIND_MAX) > 0;
    }

    private static String describe(Standby standby) {
        return standby.name()
                + (standby.state().isEmpty()
                        ? " (only users with the role pg_monitor see its state)"
                        : " (" + standby.synchrony() + ", " + lag(standby) + " behind)");
    }

    private static String lag(Standby standby) {
        return String.format(
                Locale.ROOT,
                "%.1f MiB and %.1f s",
                standby.bytesBehind() / MEBIBYTE,
                standby.behind().toMillis() / 1_000.0);
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
