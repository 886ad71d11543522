package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.FileTree;
import dev.millrace.worker.internal.runtime.Threads;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unix socket at which the template of the Python processes connects each new process to the worker.
 *
 * <p>Every program of the worker's user can reach the socket. So a connection counts only if it begins with a name that
 * the worker has just told the template, and nobody else. The template in turn connects to no process but the worker.
 * One thread serves the socket; a caller that says nothing delays nobody.
 */
final class TemplateDoor implements AutoCloseable {
    /** Characters of a name, which are random. */
    static final int NAME_LENGTH = 33;

    /** Connections that have not said their name yet. If there are more, the first ones are closed. */
    static final int STRANGERS_MAX = 64;

    private static final Logger logger = LoggerFactory.getLogger(TemplateDoor.class);

    private final Path folder;
    private final Path address;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final Map<String, CompletableFuture<SocketChannel>> awaited = new ConcurrentHashMap<>();
    private final Deque<SocketChannel> strangers = new ArrayDeque<>();

    private TemplateDoor(Path folder, Path address, ServerSocketChannel server, Selector selector) {
        this.folder = folder;
        this.address = address;
        this.server = server;
        this.selector = selector;
    }

    /** Opens the socket in a new folder that only this user can enter. The path of a socket must be short. */
    static TemplateDoor open() throws IOException {
        Path folder = PrivateFiles.folder(Files.createTempDirectory("millrace-"));
        Path address = folder.resolve("door");
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(address));
            server.configureBlocking(false);
            Selector selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
            TemplateDoor door = new TemplateDoor(folder, address, server, selector);
            Threads.daemon("millrace-template-door", door::serve).start();
            return door;
        } catch (IOException | RuntimeException e) {
            server.close();
            FileTree.delete(folder);
            throw e;
        }
    }

    Path address() {
        return address;
    }

    /** Returns the connection that begins with this name, once it is there. */
    CompletableFuture<SocketChannel> await(String name) {
        requireNonNull(name, "name");
        CompletableFuture<SocketChannel> connection = new CompletableFuture<>();
        awaited.put(name, connection);
        return connection;
    }

    /** Forgets the name; closes its connection, also one that has come already. */
    void forget(String name, CompletableFuture<SocketChannel> connection) {
        awaited.remove(name);
        if (!connection.cancel(false)) {
            var unused = connection.thenAccept(TemplateDoor::close);
        }
    }

    private void serve() {
        try {
            while (server.isOpen()) {
                selector.select();
                serveReady();
            }
        } catch (IOException e) {
            logger.atWarn().setCause(e).log("The socket for new Python processes failed; they start more slowly.");
        } catch (ClosedSelectorException e) {
            logger.debug("The socket for new Python processes is closed.", e);
        }
    }

    private void serveReady() throws IOException {
        List<Map.Entry<String, SocketChannel>> named = new ArrayList<>();
        for (SelectionKey key : selector.selectedKeys()) {
            if (!key.isValid()) {
                continue;
            }
            if (key.isAcceptable()) {
                accept();
            } else if (key.channel() instanceof SocketChannel channel
                    && key.attachment() instanceof ByteBuffer read
                    && hasSaidItsName(channel, read)) {
                key.cancel();
                named.add(Map.entry(name(read), channel));
            }
        }
        selector.selectedKeys().clear();
        if (!named.isEmpty()) {
            selector.selectNow(); // Only then does the selector let go of the channels.
            for (Map.Entry<String, SocketChannel> entry : named) {
                admit(entry.getKey(), entry.getValue());
            }
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(NAME_LENGTH + 1));
            strangers.add(channel);
            if (strangers.size() > STRANGERS_MAX) {
                close(strangers.remove());
            }
        }
    }

    /** Reads what has come; false if more must come, or if the caller is gone. */
    private boolean hasSaidItsName(SocketChannel channel, ByteBuffer read) {
        try {
            if (channel.read(read) < 0) {
                strangers.remove(channel);
                channel.close();
                return false;
            }
        } catch (IOException e) {
            strangers.remove(channel);
            close(channel);
            return false;
        }
        return !read.hasRemaining() && strangers.remove(channel);
    }

    private static String name(ByteBuffer read) {
        byte[] name = new byte[NAME_LENGTH];
        read.flip().get(name);
        return new String(name, StandardCharsets.US_ASCII);
    }

    private void admit(String name, SocketChannel channel) throws IOException {
        CompletableFuture<SocketChannel> connection = awaited.remove(name);
        channel.configureBlocking(true);
        if (connection == null || !connection.complete(channel)) {
            close(channel);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            logger.debug("A connection of a Python process could not be closed.", e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            selector.close();
            FileTree.delete(folder);
        } catch (IOException e) {
            logger.debug("The folder of the socket for new Python processes could not be deleted.", e);
        }
    }
}
