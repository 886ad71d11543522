package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who gets through the door for new Python processes. */
final class TemplateDoorTest {
    private static final long PATIENCE_SECONDS = 60;
    private static final String NAME = "0123456789abcdef0123456789abcdefc";

    private TemplateDoor door;
    private final List<SocketChannel> callers = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        door = TemplateDoor.open();
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel caller : callers) {
            caller.close();
        }
        door.close();
        assertThat(Files.exists(door.address().resolveSibling("."))).isFalse();
    }

    @Test
    void admitsTheAwaitedNameAndKeepsWhatFollows() throws Exception {
        CompletableFuture<SocketChannel> connection = door.await(NAME);
        SocketChannel caller = call();

        say(caller, NAME.substring(0, 10));
        say(caller, NAME.substring(10) + "\nmore");

        try (SocketChannel admitted = connection.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            ByteBuffer read = ByteBuffer.allocate(4);
            assertThat(admitted.read(read)).isEqualTo(4);
            assertThat(new String(read.array(), StandardCharsets.US_ASCII)).isEqualTo("more");
        }
    }

    @Test
    void closesConnectionsWithAnyOtherName() throws Exception {
        CompletableFuture<SocketChannel> connection = door.await(NAME);
        SocketChannel caller = call();

        say(caller, "f" + NAME.substring(1) + "\n");

        assertEnds(caller);
        assertThat(connection).isNotDone();
    }

    @Test
    void admitsANameOnce() throws Exception {
        CompletableFuture<SocketChannel> connection = door.await(NAME);
        say(call(), NAME + "\n");
        SocketChannel second = call();

        try (SocketChannel admitted = connection.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            say(second, NAME + "\n");

            assertEnds(second);
            assertThat(admitted.isOpen()).isTrue();
        }
    }

    @Test
    void forgetsANameAndItsConnection() throws Exception {
        CompletableFuture<SocketChannel> connection = door.await(NAME);
        SocketChannel caller = call();
        say(caller, NAME + "\n");
        connection.get(PATIENCE_SECONDS, TimeUnit.SECONDS);

        door.forget(NAME, connection);

        assertEnds(caller);
    }

    @Test
    void silentCallersDelayNobody() throws Exception {
        for (int i = 0; i <= TemplateDoor.STRANGERS_MAX; i++) {
            call();
        }
        CompletableFuture<SocketChannel> connection = door.await(NAME);

        say(call(), NAME + "\n");

        connection.get(PATIENCE_SECONDS, TimeUnit.SECONDS).close();
        assertEnds(callers.get(0));
    }

    private SocketChannel call() throws IOException {
        SocketChannel caller = SocketChannel.open(UnixDomainSocketAddress.of(door.address()));
        callers.add(caller);
        return caller;
    }

    private static void say(SocketChannel caller, String text) throws IOException {
        caller.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static void assertEnds(SocketChannel caller) {
        CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> {
            try {
                return caller.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                return -1;
            }
        });
        assertThat(read.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join()).isEqualTo(-1);
    }
}
