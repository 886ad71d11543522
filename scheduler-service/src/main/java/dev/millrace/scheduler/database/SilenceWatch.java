package dev.millrace.scheduler.database;

import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tells a slow statement from a dead connection, so that no statement needs a timeout for the sake of half-open
 * connections.
 *
 * <p>After a silence, the watch asks the server, over a connection of its own, whether it still works on the statement.
 * If the server does not answer, or says twice in a row that it is idle, the answer will never come. Belongs to the
 * thread that uses the connection; while that thread is stuck in a write, it belongs to the thread that watches the
 * write.
 */
final class SilenceWatch implements Succession.Link {
    private static final String IS_AT_WORK =
            "select state is null or state not like 'idle%' from pg_stat_activity where pid = ?";
    /**
     * Number of idle looks in a row after which no answer is expected. One does not suffice: an answer may have been on
     * its way when the server was asked.
     */
    private static final int IDLE_LOOKS_MAX = 2;
    /** Class of the SQL states for failures of the connection itself. */
    private static final String CONNECTION_FAILURE = "08";

    private final DataSource probes;
    private final Succession succession;
    private volatile int backend;
    private volatile int idleLooks;
    private volatile @Nullable Socket socket;

    /**
     * @param probes opens connections that time out quickly
     * @param succession ends the connection if a newer primary replaces its server
     */
    SilenceWatch(DataSource probes, Succession succession) {
        this.probes = probes;
        this.succession = succession;
    }

    /** Notes the socket of the connection that is being opened. */
    void connecting(Socket opened) {
        socket = opened;
    }

    /** Ends the connection by closing its socket. */
    @Override
    public void end() {
        Socket closing = socket;
        if (closing != null) {
            try {
                closing.close();
            } catch (IOException alreadyBroken) {
                // The connection has ended, which is what is wanted.
                return;
            }
        }
    }

    /**
     * Notes that the connection is open, and which server process serves it.
     *
     * @throws SQLException if the server has been replaced by a newer primary
     */
    void opened(Backend process) throws SQLException {
        backend = process.pid();
        if (process.lineage().isPresent()) {
            succession.admit(process.lineage().get(), this);
        }
    }

    /** Notes that the socket of the connection has closed. */
    void closed() {
        succession.closed(this);
    }

    /** Notes that data has arrived. */
    void heard() {
        idleLooks = 0;
    }

    /** Whether an answer may still come. Opens a connection to ask the server. */
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
            // A server that rejects the connection, because it has too many, is alive.
            return state != null && !state.startsWith(CONNECTION_FAILURE);
        }
    }
}
