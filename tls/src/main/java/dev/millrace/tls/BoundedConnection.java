package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection of the driver of PostgreSQL: where its sockets may connect to, and whose turns it takes. The driver
 * makes factories of sockets by the name of a class and hands them a text only, so they find their connection by its
 * name. Thread-safe.
 */
public final class BoundedConnection implements AutoCloseable {
    private static final Map<String, BoundedConnection> OPEN = new ConcurrentHashMap<>();
    private static final AtomicLong COUNT = new AtomicLong();

    private final String name = Long.toString(COUNT.incrementAndGet());
    private final AddressRule rule;
    private final String owner;
    private final AnswerTurns turns;
    private final Set<Socket> sockets = new HashSet<>();
    private boolean hasConnected;
    private boolean isClosed;
    private volatile boolean isRevoked;

    private BoundedConnection(AddressRule rule, String owner, AnswerTurns turns) {
        this.rule = requireNonNull(rule, "rule");
        this.owner = requireNonNull(owner, "owner");
        this.turns = requireNonNull(turns, "turns");
    }

    /**
     * Opens a connection that has no socket yet.
     *
     * @param owner who takes turns with others, such as a workspace
     */
    public static BoundedConnection open(AddressRule rule, String owner, AnswerTurns turns) {
        BoundedConnection connection = new BoundedConnection(rule, owner, turns);
        OPEN.put(connection.name, connection);
        return connection;
    }

    /**
     * Finds a connection that is open.
     *
     * @throws IllegalArgumentException if there is none of this name, because it has been closed
     */
    public static BoundedConnection named(String name) {
        BoundedConnection connection = OPEN.get(name);
        if (connection == null) {
            throw new IllegalArgumentException("the connection " + name + " has been closed");
        }
        return connection;
    }

    /** Text for factories. */
    public String name() {
        return name;
    }

    String owner() {
        return owner;
    }

    AddressRule rule() {
        return rule;
    }

    /**
     * Takes a turn if this much is more than answers may have without one; waits for it.
     *
     * @param bytes of the answer until the end of the message that begins, with what the driver makes of it
     */
    public void hold(long bytes) throws IOException {
        if (turns.needsTurn(bytes)) {
            turns.take(this);
        }
    }

    /** Gives the turn back, because nothing of the last answer is held any more. */
    public void endTurn() {
        turns.end(this);
    }

    /** Adds a socket, which is closed with the connection. */
    void add(Socket socket) {
        synchronized (this) {
            hasConnected = true;
            if (!isClosed && !isRevoked) {
                sockets.add(socket);
                return;
            }
        }
        close(socket);
    }

    /** Removes a socket that is closed. */
    void remove(Socket socket) {
        synchronized (this) {
            sockets.remove(socket);
        }
        turns.wake();
    }

    /** Whether nothing can be read any more. */
    synchronized boolean isGone() {
        return isClosed || isRevoked || (hasConnected && sockets.isEmpty());
    }

    /** Closes the sockets, because others wait for the turn. It ends once those who read notice. */
    void revoke() {
        isRevoked = true;
        closeSockets();
    }

    /** Says in place of a failure to read why the socket was closed. */
    IOException explained(IOException failure) {
        return isRevoked
                ? new IOException(
                        "a large answer took so long that the connection was closed, since others wait to read",
                        failure)
                : failure;
    }

    /**
     * Closes all sockets that drivers have made for the connection, those that still connect included, and ends its
     * turn.
     */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        OPEN.remove(name, this);
        closeSockets();
        endTurn();
    }

    private void closeSockets() {
        List<Socket> open;
        synchronized (this) {
            open = List.copyOf(sockets);
        }
        open.forEach(BoundedConnection::close);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // There is nothing to close.
        }
    }
}
