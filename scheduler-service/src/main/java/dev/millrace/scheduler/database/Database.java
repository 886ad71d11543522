package dev.millrace.scheduler.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.millrace.scheduler.config.DatabaseConfig;
import dev.millrace.scheduler.runtime.Loop;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * Access to Postgres: a pool for reads and housekeeping, a pool for look-ups by key, and dedicated connections for
 * lanes. Only stores use this class, so jOOQ types stay inside stores. Thread-safe.
 */
public final class Database implements AutoCloseable {
    private static final Duration POOL_WAIT_MAX = Duration.ofSeconds(5);
    private static final Duration PING_WAIT_MAX = Duration.ofSeconds(2);
    /** Longest check of a pooled connection before its use. It is shorter than {@link WatchedSocket#SILENCE_MAX}. */
    private static final Duration VALIDATION_WAIT_MAX = Duration.ofSeconds(3);

    /** How often a database of several servers is examined for a newer primary. */
    private static final Duration PRIMARY_LOOKS_INTERVAL = Duration.ofSeconds(10);

    private static final String RISKY_SETTINGS = """
            select name from pg_settings
            where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
              and coalesce(current_setting('millrace.throw_away', true), 'off') <> 'on'
            order by name
            """;

    /** Whoever sees the transactions of the work that the present thread does. */
    private static final ScopedValue<Witness> WITNESS = ScopedValue.newInstance();

    private final Connections connections;
    private final HikariDataSource pool;
    /**
     * Connections that plan each query once. The other pool would plan a query on the history anew each time, at
     * several times the cost of executing it.
     */
    private final HikariDataSource lookUps;

    private final DSLContext dsl;
    private final Optional<Loop> primaryWatch;

    private Database(
            Connections connections, HikariDataSource pool, HikariDataSource lookUps, Optional<Loop> primaryWatch) {
        this.primaryWatch = primaryWatch;
        this.connections = connections;
        this.pool = pool;
        this.lookUps = lookUps;
        this.dsl = DSL.using(pool, SQLDialect.POSTGRES);
    }

    /**
     * How much of a pool of connections is used.
     *
     * @param waiting number of threads that wait for a connection
     */
    public record PoolUse(String name, int active, int idle, int waiting, int max) {}

    /** Connects and migrates the schema. Fails with a message that says what to do. */
    public static Database open(DatabaseConfig config) {
        Connections connections = new Connections(config.location());
        connections.check();
        SchemaMigration.run(connections, config);
        Optional<Loop> primaryWatch = connections.haveSeveralServers()
                ? Optional.of(Loop.start("primary watch", PRIMARY_LOOKS_INTERVAL, connections::findPrimary))
                : Optional.empty();
        HikariConfig lookUps = pool("millrace look-ups", connections, config.poolSize());
        lookUps.setConnectionInitSql(Connections.PLAN_ONCE);
        return new Database(
                connections,
                new HikariDataSource(pool("millrace pool", connections, config.poolSize())),
                new HikariDataSource(lookUps),
                primaryWatch);
    }

    /**
     * Does some work on this thread, whose transactions a witness sees. Statements of {@link #run} commit together
     * meanwhile. What dedicated connections do is not seen. Witnesses of work around it see the transactions, too, each
     * after this one.
     */
    public static void witnessed(Witness witness, Runnable work) {
        Witness all = WITNESS.isBound() ? new Witnesses(witness, WITNESS.get()) : witness;
        ScopedValue.where(WITNESS, all).run(work);
    }

    /** Executes statements that each commit on their own. */
    public <T> T run(Function<DSLContext, T> statements) {
        return WITNESS.isBound() ? transaction(statements) : translated(() -> statements.apply(dsl));
    }

    /**
     * Executes a query by key and returns its rows.
     *
     * @param values values of the query's parameters, in their order
     */
    public Result<Record> fetch(FixedQuery query, Object... values) {
        try (Connection connection = lookUps.getConnection();
                PreparedStatement statement = prepare(connection, query, values);
                ResultSet rows = statement.executeQuery()) {
            return dsl.fetch(rows, query.fields());
        } catch (SQLException | DataAccessException failure) {
            throw DatabaseErrors.translate(failure);
        }
    }

    /** Reads the columns of one row. */
    @FunctionalInterface
    public interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /**
     * Executes a query by key and reads its rows one by one. This is several times as fast as {@link #fetch}, which makes
     * a record of each row and parses times from text, so it is for queries with very many rows.
     *
     * @param values values of the query's parameters, in their order
     */
    public void scan(FixedQuery query, RowReader reader, Object... values) {
        try (Connection connection = lookUps.getConnection();
                PreparedStatement statement = prepare(connection, query, values);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                reader.read(rows);
            }
        } catch (SQLException failure) {
            throw DatabaseErrors.translate(failure);
        }
    }

    private static PreparedStatement prepare(Connection connection, FixedQuery query, Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(query.sql());
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** Executes statements that commit together. They must not make remote calls or wait for others. */
    public <T> T transaction(Function<DSLContext, T> statements) {
        T result = translated(() -> dsl.transactionResult(configuration -> {
            DSLContext transaction = DSL.using(configuration);
            T value = statements.apply(transaction);
            if (WITNESS.isBound()) {
                WITNESS.get().beforeCommit(new TransactionStatements(transaction));
            }
            return value;
        }));
        if (WITNESS.isBound()) {
            WITNESS.get().committed();
        }
        return result;
    }

    /** Executes statements that commit together. An empty result rolls them back. */
    public <T> Optional<T> tryTransaction(Function<DSLContext, Optional<T>> statements) {
        try {
            return transaction(context -> {
                Optional<T> result = statements.apply(context);
                if (result.isEmpty()) {
                    throw new RollBack();
                }
                return result;
            });
        } catch (RollBack nothing) {
            return Optional.empty();
        }
    }

    private static <T> T translated(Supplier<T> statements) {
        try {
            return statements.get();
        } catch (RollBack nothing) {
            throw nothing;
        } catch (RuntimeException failure) {
            throw DatabaseErrors.translate(failure);
        }
    }

    /** Opens a connection outside the pools, with auto-commit. The caller closes it. */
    public Connection openDedicated(String name) {
        return connections.open(name);
    }

    /** Opens a dedicated connection that plans each statement once, for a single writer such as a lane. */
    public Connection openForLane(String name) {
        return connections.openToPlanOnce(name);
    }

    /**
     * Settings with which Postgres may lose committed data if its machine fails. Empty for a server that declares its
     * data expendable by {@code millrace.throw_away = on}.
     */
    public List<String> riskySettings() {
        return run(context -> context.fetch(RISKY_SETTINGS).getValues(0, String.class));
    }

    /** How much of each pool is used. */
    public List<PoolUse> pools() {
        return List.of(use("general", pool), use("look-ups", lookUps));
    }

    private static PoolUse use(String name, HikariDataSource source) {
        HikariPoolMXBean pool = source.getHikariPoolMXBean();
        return new PoolUse(
                name,
                pool.getActiveConnections(),
                pool.getIdleConnections(),
                pool.getThreadsAwaitingConnection(),
                source.getMaximumPoolSize());
    }

    /** Whether the database answers within {@link #PING_WAIT_MAX}. */
    public boolean answers() {
        try (Connection connection = pool.getConnection()) {
            return connection.isValid((int) PING_WAIT_MAX.toSeconds());
        } catch (SQLException unreachable) {
            return false;
        }
    }

    @Override
    public void close() {
        primaryWatch.ifPresent(Loop::close);
        lookUps.close();
        pool.close();
    }

    /** Makes jOOQ roll a transaction back; never leaves this class. */
    private static final class RollBack extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private record TransactionStatements(DSLContext transaction) implements Witness.Statements {
        @Override
        public int execute(String sql, Object... values) {
            return transaction.execute(sql, values);
        }

        @Override
        public boolean finds(String query, Object... values) {
            return !transaction.fetch(query, values).isEmpty();
        }
    }

    private record Witnesses(Witness first, Witness second) implements Witness {
        @Override
        public void beforeCommit(Statements transaction) {
            first.beforeCommit(transaction);
            second.beforeCommit(transaction);
        }

        @Override
        public void committed() {
            first.committed();
            second.committed();
        }
    }

    private static HikariConfig pool(String name, Connections connections, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(connections.source(name));
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(POOL_WAIT_MAX.toMillis());
        config.setValidationTimeout(VALIDATION_WAIT_MAX.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setExceptionOverrideClassName(ReadOnlyEviction.class.getName());
        return config;
    }
}
