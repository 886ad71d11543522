package dev.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Turns of connections that read large answers. */
class AnswerTurnsTest {
    private static final AddressRule RULE = new AddressRule(true, "none");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int SMALL = 100;

    private final List<BoundedConnection> turnOrder = new ArrayList<>();

    @Test
    void smallAnswersNeedNoTurn() throws IOException {
        AnswerTurns turns = turns(LONG, Duration.ZERO);
        connection("a", turns).hold(SMALL + 1);

        connection("b", turns).hold(SMALL);
    }

    @Test
    void ownersTakeTurns() throws Exception {
        AnswerTurns turns = turns(LONG, LONG);
        BoundedConnection first = connection("a", turns);
        first.hold(SMALL + 1);
        BoundedConnection second = connection("a", turns);
        BoundedConnection third = connection("a", turns);
        BoundedConnection other = connection("b", turns);
        List<CompletableFuture<Void>> waits = new ArrayList<>();
        for (BoundedConnection each : List.of(second, third, other)) {
            waits.add(waiting(each, turns, waits.size() + 1));
        }

        first.endTurn();
        for (CompletableFuture<Void> wait : waits) {
            wait.get();
        }

        assertThat(turnOrder).containsExactly(second, other, third);
    }

    @Test
    void aConnectionThatKeepsOthersWaitingForLongIsClosed() throws Exception {
        AnswerTurns turns = turns(Duration.ZERO, LONG);
        BoundedConnection slow = connection("a", turns);
        slow.hold(SMALL + 1);
        try (OwnedSocket socket = new OwnedSocket(slow)) {
            CompletableFuture<Void> wait = waiting(connection("b", turns));
            spinUntil(socket::isClosed);
            assertThat(slow.explained(new IOException("Socket closed"))).hasMessageContaining("others wait");
            assertThat(wait).as("what was read is still held").isNotDone();

            slow.close();
            wait.get();
        }
    }

    @Test
    void aConnectionThatIsClosedWaitsNoLonger() throws Exception {
        AnswerTurns turns = turns(LONG, LONG);
        connection("a", turns).hold(SMALL + 1);
        BoundedConnection closed = connection("b", turns);
        OwnedSocket socket = new OwnedSocket(closed);
        CompletableFuture<Void> wait = waiting(closed, turns, 1);

        socket.close();

        assertThatThrownBy(wait::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("closed while a large answer waited");
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void aWaitHasAnEnd() throws IOException {
        AnswerTurns turns = turns(LONG, Duration.ZERO);
        connection("a", turns).hold(SMALL + 1);

        assertThatThrownBy(() -> connection("b", turns).hold(SMALL + 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has waited for its turn");
        assertThat(turns.waiting()).isZero();
    }

    /** A driver may still connect when its time is over. */
    @Test
    void aClosedConnectionGetsNoFurtherSocket() {
        BoundedConnection closed = connection("a", turns(LONG, LONG));
        closed.close();

        assertThat(new OwnedSocket(closed).isClosed()).isTrue();
        assertThatThrownBy(() -> BoundedConnection.named(closed.name())).hasMessageContaining("has been closed");
    }

    private static AnswerTurns turns(Duration turnTime, Duration patience) {
        return new AnswerTurns(1, SMALL, turnTime, patience);
    }

    private static BoundedConnection connection(String owner, AnswerTurns turns) {
        return BoundedConnection.open(RULE, owner, turns);
    }

    private CompletableFuture<Void> waiting(BoundedConnection connection, AnswerTurns turns, int waiting) {
        CompletableFuture<Void> wait = waiting(connection);
        spinUntil(() -> turns.waiting() == waiting);
        return wait;
    }

    private CompletableFuture<Void> waiting(BoundedConnection connection) {
        CompletableFuture<Void> wait = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                connection.hold(SMALL + 1);
                turnOrder.add(connection);
                connection.endTurn();
                wait.complete(null);
            } catch (IOException refused) {
                wait.completeExceptionally(refused);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return wait;
    }

    private static void spinUntil(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
