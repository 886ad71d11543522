package dev.millrace.scheduler.postgres;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.postgres.core.OutboxRow;
import dev.millrace.scheduler.postgres.core.Settling;
import dev.millrace.scheduler.trigger.ListenTrouble;
import dev.millrace.tls.BoundedConnection;
import dev.millrace.tls.BoundedTls;
import dev.millrace.tls.PostgresMessages;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLSocketFactory;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.PGProperty;
import org.postgresql.ssl.DefaultJavaSSLFactory;
import org.postgresql.ssl.LibPQFactory;
import org.postgresql.ssl.SingleCertValidatingFactory;

/**
 * The database of a trigger's author: a table to which programs add rows, and a channel. Not Millrace's own database. Has one
 * connection; not thread-safe.
 */
final class OutboxStore implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    /** Most bytes of an answer that are held. The statements ask for less. */
    static final int RESULT_BYTES_MAX = 32 << 20;
    /** Most transactions that are held until they have ended. A server has one for each of its connections. */
    private static final int WRITERS_MAX = 10_000;

    private static final int WRITER_CHARS_MAX = 64;
    /** Longest sentence about a failure, whose text comes from the server. */
    private static final int TROUBLE_CHARS_MAX = 2_000;
    /** Shortest wait for a notification, which the driver's own looks do not have. */
    private static final int PATIENCE_MILLIS_MIN = 2;

    /**
     * Transactions that may add rows: to the table, or right to a partition of it. Prepared transactions have no process.
     */
    private static final String WRITERS = """
            select virtualtransaction from pg_locks
            where locktype = 'relation' and granted and pid is distinct from pg_backend_pid()
                and relation in (select ?::regclass::oid union select relid::oid from pg_partition_tree(?::regclass))
                and database = (select oid from pg_database where datname = current_database())
                and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
            """;
    /** A sequence that hands out several numbers at a time gives later transactions smaller numbers. */
    private static final String SHAPE = """
            select c.relkind in ('r', 'p') as is_table, pg_is_in_recovery() as is_standby,
                coalesce(a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype), false) as has_column,
                exists (select from pg_index i where i.indrelid = c.oid and i.indisvalid and i.indpred is null and i.indkey[0] = a.attnum
                    and (c.relkind = 'p' or (i.indisunique and i.indnkeyatts = 1))) as has_index,
                coalesce((select s.seqcache = 1 and s.seqincrement > 0 and not s.seqcycle from pg_sequence s
                    where a.attnum is not null and s.seqrelid = pg_get_serial_sequence(?, a.attname)::regclass), true) as grows
            from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = ? and not a.attisdropped
            where c.oid = to_regclass(?)
            """;

    private final Connection connection;
    private final BoundedConnection bounds;
    private final PGConnection notified;

    private OutboxStore(Connection connection, BoundedConnection bounds) throws SQLException {
        this.connection = connection;
        this.bounds = bounds;
        this.notified = connection.unwrap(PGConnection.class);
    }

    /** TLS of connections that read rows. The driver makes the factory by its name. */
    public static final class RowTls extends Tls {
        /** @param properties of the connection */
        public RowTls(Properties properties) throws SQLException, GeneralSecurityException {
            super(properties, RowSocketFactory.ANSWER_BYTES_MAX, PostgresMessages.Use.STATEMENTS);
        }
    }

    /** TLS of connections that listen. The driver makes the factory by its name. */
    public static final class ListenTls extends Tls {
        /** The socket below counts the same bytes; only the weight of short notifications comes up to this sum. */
        private static final int BURST_WEIGHT_MAX = 2 * ListenSocketFactory.BURST_BYTES_MAX;

        /** @param properties of the connection */
        public ListenTls(Properties properties) throws SQLException, GeneralSecurityException {
            super(properties, BURST_WEIGHT_MAX, PostgresMessages.Use.NOTIFICATIONS);
        }
    }

    /** TLS of all these connections. */
    abstract static class Tls extends BoundedTls {
        /**
         * Trusts as the properties of a connection say: any certificate, those of one authority, or those of the authorities
         * that Java trusts.
         *
         * @param properties of the connection; {@code sslfactoryarg} is the certificate of the authority
         */
        Tls(Properties properties, int answerBytesMax, PostgresMessages.Use use)
                throws SQLException, GeneralSecurityException {
            super(trusting(properties), connection(properties), answerBytesMax, RowSocketFactory.OTHER_BYTES_MAX, use);
        }

        private static BoundedConnection connection(Properties properties) {
            String options = requireNonNull(PGProperty.SOCKET_FACTORY_ARG.getOrDefault(properties));
            return BoundedConnection.named(ListenSocketFactory.connectionOf(options));
        }

        private static SSLSocketFactory trusting(Properties properties) throws SQLException, GeneralSecurityException {
            if (!"verify-full".equals(PGProperty.SSL_MODE.getOrDefault(properties))) {
                return new LibPQFactory(properties);
            }
            String authority = PGProperty.SSL_FACTORY_ARG.getOrDefault(properties);
            return authority == null
                    ? new DefaultJavaSSLFactory(properties)
                    : new SingleCertValidatingFactory(authority);
        }
    }

    /** What a connection is for. */
    enum Purpose {
        ROWS,
        /** Notifications, which are read in steps. */
        NOTIFICATIONS
    }

    /**
     * Connects.
     *
     * @param bounds closed with the store, or if there is no connection
     */
    static OutboxStore open(Endpoint endpoint, BoundedConnection bounds, Purpose purpose) throws ListenTrouble {
        Properties properties = new Properties();
        properties.setProperty("PGHOST", endpoint.host());
        properties.setProperty("PGPORT", Integer.toString(endpoint.port()));
        properties.setProperty("PGDBNAME", endpoint.database());
        properties.setProperty("user", endpoint.user());
        properties.setProperty("password", endpoint.password());
        properties.setProperty("sslmode", endpoint.sslMode());
        properties.setProperty("ApplicationName", "millrace-trigger");
        properties.setProperty("connectTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
        properties.setProperty("loginTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
        properties.setProperty("socketTimeout", Long.toString(ANSWER_TIMEOUT.toSeconds()));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("maxResultBuffer", String.valueOf(RESULT_BYTES_MAX));
        // The driver would keep the descriptions that servers send of the rows of each statement.
        properties.setProperty("preparedStatementCacheQueries", "0");
        if (endpoint.sslMode().equals("verify-full")) {
            endpoint.rootCertificate().ifPresent(pem -> properties.setProperty("sslfactoryarg", pem));
        }
        if (purpose == Purpose.NOTIFICATIONS) {
            properties.setProperty("sslfactory", ListenTls.class.getName());
            properties.setProperty("socketFactory", ListenSocketFactory.class.getName());
            properties.setProperty(
                    "socketFactoryArg",
                    ListenSocketFactory.options(bounds, endpoint.sslMode().equals("disable")));
        } else {
            properties.setProperty("sslfactory", RowTls.class.getName());
            properties.setProperty("socketFactory", RowSocketFactory.class.getName());
            properties.setProperty("socketFactoryArg", bounds.name());
        }
        try {
            Connection connection = new Driver().connect("jdbc:postgresql:///", properties);
            if (connection == null) {
                bounds.close();
                throw new ListenTrouble("The host " + endpoint.host() + " cannot be part of an address.");
            }
            bounds.endTurn();
            return new OutboxStore(connection, bounds);
        } catch (SQLException failure) {
            // After its time to log in, the driver leaves a thread behind that reads for as long as the server sends
            // anything.
            bounds.close();
            throw trouble("The database at " + endpoint.host() + " cannot be reached", failure);
        }
    }

    private static ListenTrouble trouble(String what, SQLException failure) {
        Throwable cause = failure.getCause();
        // The end of a stream has no message.
        String reason = cause == null || cause.getMessage() == null ? failure.getMessage() : cause.getMessage();
        String sentence = what + ": " + reason;
        return new ListenTrouble(
                sentence.length() <= TROUBLE_CHARS_MAX ? sentence : sentence.substring(0, TROUBLE_CHARS_MAX));
    }

    /** Gives the turn back that a large answer has taken: nothing of it is held any more. */
    void endTurn() {
        bounds.endTurn();
    }

    /** Receives notifications of a channel from now on. The connection should be for them. */
    void listen(String channel) throws ListenTrouble {
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen \"" + channel + "\"");
        } catch (SQLException failure) {
            throw trouble("The channel " + channel + " cannot be listened to", failure);
        } finally {
            endTurn();
        }
    }

    /**
     * The payloads of some of the notifications that have arrived, after waiting for the first one. Their turn is to be
     * given back with {@link #endTurn}.
     */
    List<String> notifications(Duration patience) throws ListenTrouble {
        try {
            PGNotification[] arrived =
                    notified.getNotifications(Math.max(PATIENCE_MILLIS_MIN, (int) patience.toMillis()));
            List<String> payloads = new ArrayList<>();
            if (arrived != null) {
                for (PGNotification notification : arrived) {
                    payloads.add(notification.getParameter());
                }
            }
            return payloads;
        } catch (SQLException failure) {
            throw trouble("The connection to the database broke", failure);
        }
    }

    /** Fails if the server does not answer any more. Nothing else notices that while no notification arrives. */
    void ping() throws ListenTrouble {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException failure) {
            throw trouble("The connection to the database broke", failure);
        } finally {
            endTurn();
        }
    }

    /** Fails unless the rows of the table can be read in the order of their numbers, without missing one. */
    void require(PostgresSettings.Table table) throws ListenTrouble {
        try (PreparedStatement statement = connection.prepareStatement(SHAPE)) {
            statement.setString(1, table.sql());
            statement.setString(2, table.column());
            statement.setString(3, table.sql());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new ListenTrouble("There is no table " + table.name()
                            + ": create it, or correct the trigger. Upper and lower case count.");
                }
                require(row.getBoolean("is_table"), table.name() + " is no table: name the table that gets the rows.");
                require(
                        !row.getBoolean("is_standby"),
                        "The database is a standby, which does not show which rows are about to be added: let the resource"
                                + " name the primary.");
                require(
                        row.getBoolean("has_column"),
                        "The table " + table.name() + " has no column " + table.column()
                                + " of an integer type: add one, or let the trigger name another column.");
                require(
                        row.getBoolean("has_index"),
                        "The table " + table.name() + " has no unique index on the column " + table.column()
                                + " alone, so reading it would take long: create one.");
                require(
                        row.getBoolean("grows"),
                        "The sequence of the column " + table.column() + " of the table " + table.name()
                                + " gives later rows smaller numbers, so rows would be missed: set CACHE 1, NO CYCLE and a"
                                + " positive INCREMENT.");
            }
        } catch (SQLException failure) {
            throw trouble("The table " + table.name() + " cannot be read", failure);
        } finally {
            endTurn();
        }
    }

    private static void require(boolean holds, String sentence) throws ListenTrouble {
        if (!holds) {
            throw new ListenTrouble(sentence);
        }
    }

    /** The largest number; empty if there is no row. */
    OptionalLong last(PostgresSettings.Table table) throws ListenTrouble {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select max(" + table.columnSql() + ")::bigint from " + table.sql())) {
            row.next();
            long last = row.getLong(1);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(last);
        } catch (SQLException failure) {
            throw trouble("The table " + table.name() + " cannot be read", failure);
        } finally {
            endTurn();
        }
    }

    /** Which rows there will be; empty if there is none. Reads the largest number before the locks. */
    Optional<Settling> settling(PostgresSettings.Table table) throws ListenTrouble {
        OptionalLong last = last(table);
        return last.isEmpty() ? Optional.empty() : Optional.of(new Settling(last.getAsLong(), writers(table)));
    }

    /** Transactions that can write to the table now. */
    Set<String> writers(PostgresSettings.Table table) throws ListenTrouble {
        try (PreparedStatement statement = connection.prepareStatement(WRITERS)) {
            statement.setString(1, table.sql());
            statement.setString(2, table.sql());
            Set<String> writers = new TreeSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String writer = rows.getString(1);
                    if (writers.size() >= WRITERS_MAX || writer == null || writer.length() > WRITER_CHARS_MAX) {
                        throw new ListenTrouble("The locks of the table " + table.name()
                                + " cannot be read: there are more than "
                                + WRITERS_MAX + " transactions, or one with a name of more than " + WRITER_CHARS_MAX
                                + " characters.");
                    }
                    writers.add(writer);
                }
            }
            return writers;
        } catch (SQLException failure) {
            throw trouble("The locks of the table " + table.name() + " cannot be read", failure);
        } finally {
            endTurn();
        }
    }

    /**
     * What to read.
     *
     * @param after number of the row before the first one
     * @param upTo largest number
     * @param most largest number of rows
     * @param charsMax length after which no further row is read, in characters
     * @param rowCharsMax length from which on a row is not read
     */
    record Range(long after, long upTo, int most, long charsMax, long rowCharsMax) {}

    /**
     * Rows in the order of their numbers; at least one if there is one. Give their turn back with {@link #endTurn}.
     */
    List<OutboxRow> rows(PostgresSettings.Table table, Range range) throws ListenTrouble {
        String sql = """
                with found as (
                    select t.%1$s::bigint as id, row_to_json(t)::text as content from %2$s t
                    where t.%1$s > ? and t.%1$s <= ? order by t.%1$s limit ?
                ), measured as (
                    select id, length(content) as chars, case when length(content) <= ? then content end as content from found
                ), summed as (
                    select *, sum(coalesce(length(content), 0)) over (order by id) - coalesce(length(content), 0) as before from measured
                )
                select id, chars, content from summed where before < ? order by id
                """.formatted(table.columnSql(), table.sql());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, range.after());
            statement.setLong(2, range.upTo());
            statement.setInt(3, range.most());
            statement.setLong(4, range.rowCharsMax());
            statement.setLong(5, range.charsMax());
            List<OutboxRow> rows = new ArrayList<>();
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(new OutboxRow(
                            found.getLong("id"),
                            found.getLong("chars"),
                            Optional.ofNullable(found.getString("content"))));
                }
            }
            return rows;
        } catch (SQLException failure) {
            throw trouble("The table " + table.name() + " cannot be read", failure);
        }
    }

    /** Number of rows behind a number, at most {@code max}. */
    long countAfter(PostgresSettings.Table table, long after, int max) throws ListenTrouble {
        String sql = "select count(*) from (select from %s where %s > ? limit ?) behind"
                .formatted(table.sql(), table.columnSql());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, after);
            statement.setInt(2, max);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException failure) {
            throw trouble("The table " + table.name() + " cannot be read", failure);
        } finally {
            endTurn();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // There is nothing to close.
        }
        bounds.close();
    }
}
