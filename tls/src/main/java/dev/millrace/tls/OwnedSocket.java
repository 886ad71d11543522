package dev.millrace.tls;

import java.io.IOException;

/** A socket that is closed with its connection, and checks the address as the connection demands. */
public class OwnedSocket extends CheckedSocket {
    private final BoundedConnection connection;

    @SuppressWarnings("this-escape") // The connection only closes it, and has nothing to close before this returns.
    public OwnedSocket(BoundedConnection connection) {
        super(connection.rule());
        this.connection = connection;
        connection.add(this);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // The socket itself is closed under its lock.
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            connection.remove(this);
        }
    }
}
