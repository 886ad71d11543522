package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.database.DatabaseErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A lane's own connection to the database. A flush sends all its statements in one round trip and one implicit
 * transaction: the extended query protocol commits at the single Sync that ends them. Owned by the lane's driver.
 */
public final class LaneConnection implements AutoCloseable {
    /** Class of the SQL states for faults inside Postgres. */
    private static final String INTERNAL_FAULT = "XX";

    /**
     * Maximum number of texts that are remembered, each a few kilobytes long. Flows in use lead to far fewer
     * combinations.
     */
    private static final int TEXTS_REMEMBERED_MAX = 1_000;

    private static final LaneQuery READ_ONLY =
            new LaneQuery("select current_setting('transaction_read_only') = 'on' as read_only");

    private final Callable<Connection> connections;
    /**
     * Text of each combination of statements that has been sent, by {@link FlushRows#places}. Equal combinations use
     * the same String object, so that the driver finds its prepared statement without comparing long texts.
     */
    private final Map<Set<FlushOrder>, String> textsOfRows = bounded();

    private final Map<Set<FlushOrder>, String> textsOfOneRow = bounded();
    /** Text of each combination of queries that are read together, by the queries' own texts. */
    private final Map<List<String>, String> textsOfQueries = bounded();

    private @Nullable Connection open;

    private static <K> Map<K, String> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, String> eldest) {
                return size() > TEXTS_REMEMBERED_MAX;
            }
        };
    }

    LaneConnection(Callable<Connection> connections) {
        this.connections = connections;
    }

    /**
     * Commits a batch. If each statement has exactly one row, as in a flush of one command, values are bound without
     * arrays.
     */
    void flush(FlushRows rows) throws FlushRefused, DatabaseLost {
        List<LaneStatement> statements = rows.statements();
        if (!statements.isEmpty()) {
            boolean single = haveOneRow(statements);
            Map<Set<FlushOrder>, String> known = single ? textsOfOneRow : textsOfRows;
            execute(
                    known.computeIfAbsent(rows.places(), _ -> String.join(";\n", textsOf(statements, single))),
                    statements,
                    single);
        }
    }

    private void execute(String text, List<LaneStatement> statements, boolean single)
            throws FlushRefused, DatabaseLost {
        try (PreparedStatement prepared = connection().prepareStatement(text)) {
            RowBinder binder = new RowBinder(prepared, single);
            for (LaneStatement statement : statements) {
                statement.bind(binder);
            }
            prepared.execute();
            for (LaneStatement statement : statements) {
                try (ResultSet rows = prepared.getResultSet()) {
                    statement.read(rows);
                }
                prepared.getMoreResults();
            }
        } catch (SQLException failure) {
            if (isConnectionLost(failure)) {
                throw lost(failure);
            }
            throw new FlushRefused(failure);
        }
    }

    private static boolean haveOneRow(List<LaneStatement> statements) {
        for (LaneStatement statement : statements) {
            if (statement.rows() != 1) {
                return false;
            }
        }
        return true;
    }

    private static List<String> textsOf(List<LaneStatement> statements, boolean single) {
        List<String> texts = new ArrayList<>(statements.size());
        for (LaneStatement statement : statements) {
            texts.add(single ? statement.sql().ofOneRow() : statement.sql().ofRows());
        }
        return texts;
    }

    /** Executes queries in one round trip. */
    public void read(List<LaneStatement> queries) throws DatabaseLost {
        boolean single = haveOneRow(queries);
        try {
            String text = textsOfQueries.computeIfAbsent(textsOf(queries, single), texts -> String.join(";\n", texts));
            execute(text, queries, single);
        } catch (FlushRefused refused) {
            throw new IllegalStateException("a query of the lane was refused", refused);
        }
    }

    /** Opens the connection unless it is open. */
    public void open() throws DatabaseLost {
        var _ = connection();
    }

    /** Opens a new connection. Fails, too, if the server rejects writes, as during a failover. */
    void reconnect() throws DatabaseLost {
        close();
        if (query(READ_ONLY, row -> row.getBoolean("read_only")).getFirst()) {
            throw lost(new SQLException("Postgres rejects writes: it is read-only.", DatabaseErrors.READ_ONLY));
        }
    }

    /**
     * Executes a query and reads its rows.
     *
     * @param values values of the parameters, in their order
     */
    public <T> List<T> query(LaneQuery query, RowReader<T> reader, Object... values) throws DatabaseLost {
        try (PreparedStatement statement = connection().prepareStatement(query.sql())) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(reader.read(rows));
                }
                return read;
            }
        } catch (SQLException failure) {
            throw lost(failure);
        }
    }

    /** Whether a query returns any rows. */
    public boolean exists(LaneQuery query, Object... values) throws DatabaseLost {
        return !query(query, _ -> true, values).isEmpty();
    }

    /** The first row of a query. */
    public <T> Optional<T> first(LaneQuery query, RowReader<T> reader, Object... values) throws DatabaseLost {
        return query(query, reader, values).stream().findFirst();
    }

    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private Connection connection() throws DatabaseLost {
        if (open == null) {
            try {
                open = connections.call();
            } catch (Exception failure) {
                throw new DatabaseLost(failure);
            }
        }
        return open;
    }

    private DatabaseLost lost(SQLException failure) {
        close();
        return new DatabaseLost(failure);
    }

    /**
     * Whether the connection or the server is to blame, and not a statement. Failures of the driver without an SQL
     * state concern the connection.
     */
    private static boolean isConnectionLost(SQLException failure) {
        String state = failure.getSQLState();
        return state == null || state.startsWith(INTERNAL_FAULT) || DatabaseErrors.isUnavailable(state);
    }

    @Override
    public void close() {
        Connection closing = open;
        open = null;
        if (closing != null) {
            try {
                closing.close();
            } catch (SQLException alreadyBroken) {
                // Nothing is lost: the lane checks in the database what was committed.
            }
        }
    }
}
