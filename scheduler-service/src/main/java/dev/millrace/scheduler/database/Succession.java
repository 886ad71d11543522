package dev.millrace.scheduler.database;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the newest primary that this process has seen, and refuses those that it has replaced. After a failover the
 * old primary may come back and accept writes, which the new one will never have.
 *
 * <p>Connections to a primary end as soon as a newer one is seen. Thread-safe; ends connections outside its lock.
 */
final class Succession {
    /** SQL state of a server that refuses a connection, which counts as a database that is away. */
    private static final String REFUSED = "08004";

    private final Map<Link, ServerLineage> open = new HashMap<>();
    private @Nullable ServerLineage newest;

    /** A connection to a server. */
    @FunctionalInterface
    interface Link {
        /** Ends the connection from any thread, also while a statement waits for its answer. */
        void end();
    }

    /**
     * Accepts a new connection, or refuses it if its server has been replaced. An accepted connection may be ended
     * until it {@linkplain #closed closes}.
     *
     * @throws SQLException if a newer primary is known, or the server belongs to another cluster
     */
    void admit(ServerLineage lineage, Link link) throws SQLException {
        synchronized (this) {
            Optional<String> refusal = refusal(lineage);
            if (refusal.isPresent()) {
                throw new SQLException(refusal.get(), REFUSED);
            }
            open.put(link, lineage);
        }
        observe(lineage);
    }

    /** Notes that a primary has been seen, and ends the connections to those that it has replaced. */
    void observe(ServerLineage seen) {
        outdatedBy(seen).forEach(Link::end);
    }

    /** Notes that a connection has closed. */
    synchronized void closed(Link link) {
        open.remove(link);
    }

    private synchronized List<Link> outdatedBy(ServerLineage seen) {
        ServerLineage known = newest;
        if (known != null && (known.system() != seen.system() || known.timeline() >= seen.timeline())) {
            return List.of();
        }
        newest = seen;
        List<Link> outdated = open.entrySet().stream()
                .filter(each -> each.getValue().timeline() < seen.timeline())
                .map(Map.Entry::getKey)
                .toList();
        outdated.forEach(open::remove);
        return outdated;
    }

    private Optional<String> refusal(ServerLineage lineage) {
        ServerLineage known = newest;
        if (known == null) {
            return Optional.empty();
        }
        if (known.system() != lineage.system()) {
            return Optional.of("The server belongs to another Postgres cluster (system identifier "
                    + Long.toUnsignedString(lineage.system()) + ") than the one in use ("
                    + Long.toUnsignedString(known.system())
                    + "). If the database has been moved on purpose, restart the scheduler.");
        }
        if (known.timeline() > lineage.timeline()) {
            return Optional.of("The server is an old primary: it writes timeline " + lineage.timeline()
                    + ", but timeline " + known.timeline()
                    + " has replaced it. Stop it, or make it a standby of the new primary.");
        }
        return Optional.empty();
    }
}
