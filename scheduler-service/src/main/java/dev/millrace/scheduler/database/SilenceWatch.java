package dev.millrace.scheduler.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Tells a statement that takes long from a connection that is dead. Whoever has waited in vain for an answer asks, over a connection of its own,
 * whether the server is still at work on the statement: if the server does not answer, or says twice in a row that it has nothing to do, the answer
 * will never come. So no statement needs a limit for the sake of half-open connections. Belongs to the thread that uses the connection, and while that is
 * stuck in a write, to the one that looks after it.
 */
final class SilenceWatch {
    private static final String IS_AT_WORK =
            "select state is null or state not like 'idle%' from pg_stat_activity where pid = ?";
    /** An answer may be on its way while the server is asked: only the second time that nothing is under way counts. */
    private static final int IDLE_LOOKS_MAX = 2;
    /** Class of SQLSTATE for failures of the connection itself. */
    private static final String CONNECTION_FAILURE = "08";

    private final DataSource probes;
    private volatile int backend;
    private volatile int idleLooks;

    /** @param probes opens connections that give up soon by themselves */
    SilenceWatch(DataSource probes) {
        this.probes = probes;
    }

    /** The connection stands, and is served by this process of the server. */
    void opened(int backendPid) {
        backend = backendPid;
    }

    /** Something has arrived. */
    void heard() {
        idleLooks = 0;
    }

    /** Whether an answer may still come. Opens a connection. */
    boolean mayStillAnswer() {
        if (backend == 0) {
            return false;
        }
        try (Connection probe = probes.getConnection();
                PreparedStatement statement = probe.prepareStatement(IS_AT_WORK)) {
            statement.setInt(1, backend);
            try (ResultSet row = statement.executeQuery()) {
                boolean atWork = row.next() && row.getBoolean(1);
                int looks = atWork ? 0 : idleLooks + 1;
                idleLooks = looks;
                return looks < IDLE_LOOKS_MAX;
            }
        } catch (SQLException failure) {
            String state = failure.getSQLState();
            // A server that refuses the connection, because it has too many, is alive.
            return state != null && !state.startsWith(CONNECTION_FAILURE);
        }
    }
}
