package dev.millrace.scheduler.wake;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.runtime.WakeLatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges messages with the other schedulers of the database by Postgres NOTIFY, on connections of its own.
 *
 * <p>Messages are sent after the commit that they announce. Equal messages within {@link #DEBOUNCE} are sent once.
 * Messages may get lost with a connection, so every listener also heals by looking at the database.
 */
public final class NotificationBus implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NotificationBus.class);
    private static final String CHANNEL = "millrace";
    private static final Duration DEBOUNCE = Duration.ofMillis(10);
    /** Silence after which the connection is checked. */
    private static final Duration LISTEN_TURN = Duration.ofSeconds(4);

    private static final Duration RECONNECT_INTERVAL = Duration.ofSeconds(1);
    /** Maximum number of different messages that wait to be sent. Others are dropped; listeners heal. */
    private static final int WAITING_MAX = 10_000;
    /** Length from which on Postgres refuses a message. It would be tried for ever, and hold up all others. */
    static final int MESSAGE_BYTES_MAX = 7_999;

    private static final int LOGGED_CHARS_MAX = 200;

    private final Database database;
    private final Consumer<String> listener;
    private final Runnable reconnected;
    private final Set<String> waiting = new LinkedHashSet<>();
    private final WakeLatch signal = new WakeLatch();
    private final List<Thread> threads;
    private volatile boolean closed;

    /**
     * @param listener called with each message, including this scheduler's own
     * @param reconnected called when messages may have been missed
     */
    public NotificationBus(Database database, Consumer<String> listener, Runnable reconnected) {
        this.database = database;
        this.listener = listener;
        this.reconnected = reconnected;
        this.threads = List.of(
                Thread.ofVirtual().name("notify").unstarted(this::send),
                Thread.ofVirtual().name("listen").unstarted(this::listen));
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    /** Sends a message soon, unless it is longer than {@link #MESSAGE_BYTES_MAX}; never blocks. */
    void tell(String message) {
        if (message.getBytes(UTF_8).length > MESSAGE_BYTES_MAX) {
            log.atWarn()
                    .addKeyValue("message", message.substring(0, LOGGED_CHARS_MAX))
                    .log("A message to the other schedulers is too long and is not sent; they find out by themselves");
            return;
        }
        synchronized (waiting) {
            if (waiting.size() < WAITING_MAX) {
                waiting.add(message);
            }
        }
        signal.raise();
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }

    private void send() {
        whileOpen("millrace notify", connection -> {
            try (PreparedStatement notify = connection.prepareStatement("select pg_notify('" + CHANNEL + "', ?)")) {
                while (!closed) {
                    Optional<String> next = next();
                    if (next.isPresent()) {
                        notify.setString(1, next.get());
                        notify.execute();
                        sent(next.get());
                    } else {
                        signal.await(LISTEN_TURN);
                        WakeLatch.pause(DEBOUNCE);
                    }
                }
            }
        });
    }

    private Optional<String> next() {
        synchronized (waiting) {
            return waiting.stream().findFirst();
        }
    }

    /**
     * Removes a message that was sent. If the connection breaks before, the message stays and is sent over the next
     * one.
     */
    private void sent(String message) {
        synchronized (waiting) {
            waiting.remove(message);
        }
    }

    private void listen() {
        whileOpen("millrace listen", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("listen " + CHANNEL);
            }
            reconnected.run();
            PGConnection postgres = connection.unwrap(PGConnection.class);
            int self = postgres.getBackendPID();
            log.atDebug().addKeyValue("backend", self).log("Listening to the other schedulers");
            while (!closed) {
                PGNotification[] notifications = postgres.getNotifications((int) LISTEN_TURN.toMillis());
                for (PGNotification notification : notifications) {
                    accept(notification.getParameter());
                }
                if (notifications.length == 0) {
                    try (Statement ping = connection.createStatement()) {
                        ping.execute("select 1");
                    }
                }
            }
        });
    }

    /** Any role of the database may send messages, so one that means nothing must not end the connection. */
    private void accept(String message) {
        try {
            listener.accept(message);
        } catch (RuntimeException failure) {
            log.atWarn().setCause(failure).log("A message of another scheduler could not be heeded");
        }
    }

    private interface Session {
        void use(Connection connection) throws SQLException, InterruptedException;
    }

    private void whileOpen(String name, Session session) {
        try {
            while (!closed) {
                try (Connection connection = database.openDedicated(name)) {
                    session.use(connection);
                } catch (SQLException | RuntimeException failure) {
                    if (!closed) {
                        log.atWarn()
                                .addKeyValue("connection", name)
                                .addKeyValue("reason", failure.getMessage())
                                .log("The connection for notifications was lost and will be reopened");
                        WakeLatch.pause(RECONNECT_INTERVAL);
                    }
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
