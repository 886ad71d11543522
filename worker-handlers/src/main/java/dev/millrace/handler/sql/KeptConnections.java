package dev.millrace.handler.sql;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.millrace.text.sql.SqlDialect;
import dev.millrace.worker.JobContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections of jobs. One to PostgreSQL outlives a job that succeeded, so that the next job of the same workspace and
 * account need not open one. It has the state of a new one when it is kept ({@code DISCARD ALL}), and a job gets it only
 * after the server has answered. MySQL has no command that restores all state of a connection, so each of its jobs has a new
 * one. How many connections are in use is bounded by the slots of the worker.
 *
 * <p>Thread-safe: the monitor guards all state, and no connection is used or closed while it is held.
 */
final class KeptConnections {
    /** Connections that are kept idle, of all databases together. */
    static final int IDLE_MAX = 16;

    /** How long a connection is kept idle. */
    static final Duration IDLE_TIME_MAX = Duration.ofSeconds(30);

    /** Age from which a connection is not kept. The server's process and its caches grow with its age. */
    static final Duration AGE_MAX = Duration.ofMinutes(10);

    /** How long the server may take to answer before a connection counts as broken. */
    private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(2);

    private static final int NO_TIMEOUT = 0;
    private static final Executor DIRECT = Runnable::run;

    private record Idle(SqlConnection connection, long sinceNanos) {}

    private final SqlDialect dialect;
    private final LongSupplier nanos;
    /** The longest idle first. */
    private final Deque<Idle> idle = new ArrayDeque<>();

    private boolean isSweepPlanned;

    /** @param nanos the clock, as {@link System#nanoTime} */
    KeptConnections(SqlDialect dialect, LongSupplier nanos) {
        this.dialect = dialect;
        this.nanos = nanos;
    }

    /** Returns a kept connection that works, else a new one. */
    SqlConnection take(ConnectionKey key, JobContext job) throws SQLException {
        SqlConnection kept = takeIdle(key);
        while (kept != null) {
            if (isUsable(kept, job)) {
                return kept;
            }
            kept.close();
            kept = takeIdle(key);
        }
        SqlConnection opened = SqlConnections.open(dialect, key, nanos.getAsLong());
        if (isKept() && !isUsable(opened, job)) {
            opened.close();
            throw new SQLException("the server closed the new connection", "08006");
        }
        return opened;
    }

    /** Takes back the connection of a job that succeeded: keeps it with the state of a new one, or closes it. */
    void keep(SqlConnection connection) {
        boolean isOld = nanos.getAsLong() - connection.openedNanos() > AGE_MAX.toNanos();
        if (!isKept() || isOld || !isReset(connection)) {
            connection.close();
            return;
        }
        Idle surplus;
        synchronized (this) {
            idle.addLast(new Idle(connection, nanos.getAsLong()));
            surplus = idle.size() > IDLE_MAX ? idle.pollFirst() : null;
            planSweep();
        }
        if (surplus != null) {
            surplus.connection().close();
        }
    }

    /** Closes connections that have been idle for long. */
    void sweep() {
        List<Idle> ended = new ArrayList<>();
        synchronized (this) {
            isSweepPlanned = false;
            long now = nanos.getAsLong();
            while (!idle.isEmpty() && now - idle.getFirst().sinceNanos() >= IDLE_TIME_MAX.toNanos()) {
                ended.add(idle.removeFirst());
            }
            planSweep();
        }
        ended.forEach(each -> each.connection().close());
    }

    /** Whether connections of this kind are kept. */
    private boolean isKept() {
        return dialect == SqlDialect.POSTGRESQL;
    }

    private synchronized @Nullable SqlConnection takeIdle(ConnectionKey key) {
        for (Iterator<Idle> latestFirst = idle.descendingIterator(); latestFirst.hasNext(); ) {
            SqlConnection connection = latestFirst.next().connection();
            if (connection.key().equals(key)) {
                latestFirst.remove();
                return connection;
            }
        }
        return null;
    }

    /** Plans the next sweep if there is something to sweep; there is one at a time. Called with the monitor. */
    private void planSweep() {
        if (!isSweepPlanned && !idle.isEmpty()) {
            isSweepPlanned = true;
            long millis = IDLE_TIME_MAX.toMillis();
            CompletableFuture.delayedExecutor(millis, MILLISECONDS, Thread::startVirtualThread)
                    .execute(this::sweep);
        }
    }

    /** Asks the server, and tells it the job by the same question. */
    private static boolean isUsable(SqlConnection asked, JobContext job) {
        Connection connection = asked.connection();
        try {
            connection.setNetworkTimeout(DIRECT, (int) ANSWER_TIME_MAX.toMillis());
            connection.setClientInfo("ApplicationName", application(job));
            connection.setNetworkTimeout(DIRECT, NO_TIMEOUT);
            return true;
        } catch (SQLException broken) {
            return false;
        } finally {
            asked.bounds().endTurn();
        }
    }

    /** Gives the connection the state of a new one. Fails within a transaction that the script has left open. */
    private static boolean isReset(SqlConnection used) {
        Connection connection = used.connection();
        try {
            connection.setNetworkTimeout(DIRECT, (int) ANSWER_TIME_MAX.toMillis());
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute("DISCARD ALL");
            }
            connection.clearWarnings();
            connection.setNetworkTimeout(DIRECT, NO_TIMEOUT);
            return true;
        } catch (SQLException broken) {
            return false;
        } finally {
            used.bounds().endTurn();
        }
    }

    private static String application(JobContext job) {
        return "millrace " + job.jobId();
    }
}
