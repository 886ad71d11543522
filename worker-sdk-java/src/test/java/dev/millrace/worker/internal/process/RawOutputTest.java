package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RawOutputTest {
    private static final String NONCE = "01234567-89ab-cdef-0123-456789abcdef";
    private static final String MARK = "\0millrace:" + NONCE + "\n";

    private final RawOutput output = new RawOutput();
    private final StringBuilder logged = new StringBuilder();

    private void add(String text) {
        output.add(text, logged::append);
    }

    /** However the text arrives in pieces. */
    @Test
    void leavesMarksOutAndNothingElse() {
        String text = "one\n" + MARK + "two\0" + MARK + MARK + "three\0millrace:no mark\n" + "\0".repeat(60);
        for (int first = 0; first <= text.length(); first++) {
            for (int second = first; second <= text.length(); second++) {
                RawOutput pieces = new RawOutput();
                StringBuilder log = new StringBuilder();
                for (String piece :
                        List.of(text.substring(0, first), text.substring(first, second), text.substring(second))) {
                    pieces.add(piece, log::append);
                }
                pieces.end(log::append);
                assertThat(log.toString()).isEqualTo(text.replace(MARK, ""));
            }
        }
    }

    @Test
    void completesOnceTheTextBeforeTheMarkIsLogged() {
        CompletableFuture<Void> read = output.await(NONCE);
        add("text" + MARK.substring(0, 20));
        assertThat(read).isNotCompleted();
        CompletableFuture<String> loggedThen = read.thenApply(done -> logged.toString());

        add(MARK.substring(20) + "later");

        assertThat(loggedThen).isCompletedWithValue("text");
        assertThat(logged).hasToString("textlater");
    }

    @Test
    void completesIfTheMarkHasCome() {
        add(MARK);

        assertThat(output.await(NONCE)).isCompleted();
    }

    @Test
    void completesAtTheEndOfTheProcess() {
        CompletableFuture<Void> read = output.await(NONCE);
        add("\0mill");

        output.end(logged::append);

        assertThat(read).isCompleted();
        assertThat(logged).hasToString("\0mill");
    }
}
