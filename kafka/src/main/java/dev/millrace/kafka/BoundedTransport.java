package dev.millrace.kafka;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.Principal;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.network.TransportLayer;

/**
 * A connection whose broker may answer with a limited number of bytes while the client authenticates. Kafka's client then takes the
 * first four bytes of an answer as a length and allocates that much, whatever the limit of responses is. Otherwise it does
 * nothing else than the connection inside.
 */
final class BoundedTransport implements TransportLayer {
    /** Longest answer while a client authenticates. The messages of all mechanisms have some hundred bytes. */
    static final int AUTHENTICATION_BYTES_MAX = 64 << 10;

    private final TransportLayer inside;
    private BooleanSupplier isAuthenticated = () -> false;

    BoundedTransport(TransportLayer inside) {
        this.inside = inside;
    }

    /** Says what knows when answers are those to requests. */
    void authenticates(BooleanSupplier isComplete) {
        this.isAuthenticated = isComplete;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int read = inside.read(target);
        // The client reads a length into a buffer of its own.
        boolean isLength = target.capacity() == Integer.BYTES && !target.hasRemaining();
        if (isLength && !isAuthenticated.getAsBoolean() && target.getInt(0) > AUTHENTICATION_BYTES_MAX) {
            throw new IOException("the broker answers with " + target.getInt(0)
                    + " bytes to a client that authenticates (expected: at most " + AUTHENTICATION_BYTES_MAX + ")");
        }
        return read;
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return inside.read(targets);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return inside.read(targets, offset, length);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return inside.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return inside.write(sources);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return inside.write(sources, offset, length);
    }

    @Override
    public boolean hasPendingWrites() {
        return inside.hasPendingWrites();
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        return inside.transferFrom(file, position, count);
    }

    @Override
    public boolean ready() {
        return inside.ready();
    }

    @Override
    public boolean finishConnect() throws IOException {
        return inside.finishConnect();
    }

    @Override
    public void disconnect() {
        inside.disconnect();
    }

    @Override
    public boolean isConnected() {
        return inside.isConnected();
    }

    @Override
    public SocketChannel socketChannel() {
        return inside.socketChannel();
    }

    @Override
    public SelectionKey selectionKey() {
        return inside.selectionKey();
    }

    @Override
    public void handshake() throws IOException {
        inside.handshake();
    }

    @Override
    public Principal peerPrincipal() throws IOException {
        return inside.peerPrincipal();
    }

    @Override
    public void addInterestOps(int operations) {
        inside.addInterestOps(operations);
    }

    @Override
    public void removeInterestOps(int operations) {
        inside.removeInterestOps(operations);
    }

    @Override
    public boolean isMute() {
        return inside.isMute();
    }

    @Override
    public boolean hasBytesBuffered() {
        return inside.hasBytesBuffered();
    }

    @Override
    public boolean isOpen() {
        return inside.isOpen();
    }

    @Override
    public void close() throws IOException {
        inside.close();
    }
}
