package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlDialect;
import dev.millrace.tls.AnswerLimit;
import dev.millrace.tls.AnswerTurns;
import dev.millrace.tls.BoundedConnection;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Opens connections. Only what is written here becomes a property of a connection, because properties of drivers can load
 * classes and read files.
 */
final class SqlConnections {
    static final int CONNECT_SECONDS_MAX = 10;

    /** What the driver holds of one fetch at most, in bytes. A larger row fails the job and not the worker. */
    static final int FETCH_BYTES_MAX = 8 << 20;

    /**
     * Heap for each connection that reads a large answer at a time: what the driver holds, and the values made of it.
     */
    private static final long HEAP_BYTES_A_TURN = 96 << 20;
    /** Largest answer that needs no turn. */
    private static final int SMALL_ANSWER_BYTES_MAX = 1 << 20;
    /** Turns of all jobs of this process, since they share its heap. */
    private static final AnswerTurns ANSWERS = AnswerTurns.ofHeap(HEAP_BYTES_A_TURN, SMALL_ANSWER_BYTES_MAX);

    private static final String PEM_BEGIN = "-----BEGIN CERTIFICATE-----";

    /** Name that PostgreSQL shows for a connection outside of jobs. */
    private static final String APPLICATION = "millrace";

    private SqlConnections() {}

    /**
     * Opens a connection; blocks for at most {@value #CONNECT_SECONDS_MAX} seconds for each address of the host.
     */
    static SqlConnection open(SqlDialect dialect, ConnectionKey key, long nowNanos) throws SQLException {
        AnswerLimit limit = new AnswerLimit(FETCH_BYTES_MAX);
        BoundedConnection bounds = BoundedConnection.open(
                new SqlServerOptions(!key.isPublicOnly()).addressRule(), key.workspace(), ANSWERS);
        try {
            Connection connection = switch (dialect) {
                case POSTGRESQL -> postgres(key, bounds);
                case MYSQL -> ScopedValue.where(MysqlSockets.LIMIT, limit).call(() -> mysql(key));
                case SQLITE -> throw new IllegalArgumentException("SQLite is no server");
            };
            return new SqlConnection(key, connection, limit, bounds, nowNanos);
        } catch (SQLException | RuntimeException failure) {
            // After its time to log in, the driver leaves a thread behind that reads for as long as the server sends
            // anything.
            bounds.close();
            throw failure;
        }
    }

    private static Connection postgres(ConnectionKey key, BoundedConnection bounds) throws SQLException {
        SqlDatabase database = key.database();
        Properties properties = account(database);
        properties.setProperty("socketFactory", PostgresSockets.class.getName());
        properties.setProperty("socketFactoryArg", bounds.name());
        properties.setProperty("sslfactory", PostgresTls.class.getName());
        properties.setProperty("PGHOST", database.host());
        properties.setProperty("PGPORT", String.valueOf(database.port() == 0 ? 5432 : database.port()));
        properties.setProperty("PGDBNAME", database.name().isEmpty() ? database.user() : database.name());
        properties.setProperty("ApplicationName", APPLICATION);
        properties.setProperty("connectTimeout", String.valueOf(CONNECT_SECONDS_MAX));
        properties.setProperty("loginTimeout", String.valueOf(CONNECT_SECONDS_MAX));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("maxResultBuffer", String.valueOf(FETCH_BYTES_MAX));
        // A job seldom repeats a statement, and the driver would keep what servers say of the columns of each.
        properties.setProperty("preparedStatementCacheQueries", "0");
        properties.setProperty(
                "sslmode",
                switch (database.tls()) {
                    case OFF -> "disable";
                    case PREFERRED -> "prefer";
                    case REQUIRED -> "require";
                    case VERIFIED -> "verify-full";
                });
        if (database.tls() == SqlDatabase.Encryption.VERIFIED) {
            trust(database, properties);
        }
        return connect(new org.postgresql.Driver(), "jdbc:postgresql:///", properties);
    }

    private static void trust(SqlDatabase database, Properties properties) {
        if (!database.rootCertificate().isEmpty()) {
            properties.setProperty("sslfactoryarg", pem(database));
        }
    }

    /** The certificate of the authority. Drivers would read anything else as the name of a file or of a variable. */
    private static String pem(SqlDatabase database) {
        String pem = database.rootCertificate().strip();
        if (!pem.startsWith(PEM_BEGIN)) {
            throw SqlErrors.input("The field \"root_certificate_pem\" of the database is no certificate: it must begin"
                    + " with " + PEM_BEGIN + ".");
        }
        return pem + "\n";
    }

    private static Connection mysql(ConnectionKey key) throws SQLException {
        SqlDatabase database = key.database();
        Properties properties = account(database);
        properties.setProperty("socketFactory", MysqlSockets.class.getName());
        properties.setProperty(MysqlSockets.PUBLIC_ONLY, String.valueOf(key.isPublicOnly()));
        properties.setProperty("connectTimeout", String.valueOf(1_000 * CONNECT_SECONDS_MAX));
        properties.setProperty("allowLocalInfile", "false");
        properties.setProperty("allowMultiQueries", "false");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty(
                "sslMode",
                switch (database.tls()) {
                    case OFF -> "disable";
                    // This driver cannot ask for TLS without demanding it.
                    case PREFERRED, REQUIRED -> "trust";
                    case VERIFIED -> "verify-full";
                });
        if (database.tls() == SqlDatabase.Encryption.VERIFIED
                && !database.rootCertificate().isEmpty()) {
            properties.setProperty("serverSslCert", pem(database));
        }
        String host = database.host().contains(":") ? "[" + database.host() + "]" : database.host();
        if (!host.matches("[A-Za-z0-9._:\\[\\]-]+") || !database.name().matches("[^/?&#\\\\]*")) {
            throw SqlErrors.input("The host or the name of the database has characters that neither can have.");
        }
        String url = "jdbc:mariadb://" + host + ":" + (database.port() == 0 ? 3306 : database.port()) + "/"
                + database.name();
        return connect(new org.mariadb.jdbc.Driver(), url, properties);
    }

    private static Properties account(SqlDatabase database) {
        Properties properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        return properties;
    }

    private static Connection connect(Driver driver, String url, Properties properties) throws SQLException {
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver does not take the address");
        }
        return connection;
    }
}
