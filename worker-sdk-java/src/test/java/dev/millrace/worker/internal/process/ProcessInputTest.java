package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines and signals for a process arrive in the order in which they were queued, whichever thread writes them. */
@Timeout(180)
final class ProcessInputTest {
    private static final String SIGNAL = "SIGNAL";

    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    private final ArrayDeque<Runnable> background = new ArrayDeque<>();
    private final Pipe pipe = new Pipe();
    private final ProcessInput input = new ProcessInput(pipe, () -> received.add(SIGNAL), background::add);

    @Test
    void writesLinesAndSignalsInTheirOrder() {
        add("job 1");
        add("cancel 1");
        input.addSignal();
        add("job 2");

        input.workOff();

        assertThat(received).containsExactly("job 1", "cancel 1", SIGNAL, "job 2");
        assertThat(input.waitingCount()).isZero();
        assertThat(background).isEmpty();
    }

    @Test
    void leavesToTheBackgroundWhatMayHaveToWaitAndAllThatIsBehindIt() {
        add("small");
        input.add(bytes("large"), true);
        add("cancel");
        input.addSignal();

        input.workOff();
        add("behind");
        input.workOff();

        assertThat(received).containsExactly("small");
        assertThat(background).hasSize(1);
        background.remove().run();
        assertThat(received).containsExactly("small", "large", "cancel", SIGNAL, "behind");
    }

    @Test
    void writesItselfAgainOnceTheBackgroundIsDone() {
        input.add(bytes("large"), true);
        input.workOff();
        background.remove().run();

        add("small");
        input.workOff();

        assertThat(received).containsExactly("large", "small");
        assertThat(background).isEmpty();
    }

    @Test
    void writesALineThatIsQueuedWhileAnotherThreadIsWriting() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        pipe.block(goOn);
        add("first");
        CompletableFuture<Void> writer = CompletableFuture.runAsync(input::workOff);
        pipe.awaitBlocked();

        add("second");
        input.workOff();

        assertThat(received).isEmpty();
        goOn.countDown();
        writer.get();
        assertThat(received).containsExactly("first", "second");
    }

    @Test
    void tellsWhichLinesADeadProcessHasNotRead() {
        ProcessInput.Line read = add("read");
        input.workOff();
        pipe.isBroken = true;

        ProcessInput.Line lost = add("lost");
        input.workOff();

        assertThat(read.isLost()).isFalse();
        assertThat(lost.isLost()).isTrue();
    }

    private ProcessInput.Line add(String line) {
        return input.add(bytes(line), false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private final class Pipe extends OutputStream {
        volatile boolean isBroken;
        private volatile CountDownLatch goOn = new CountDownLatch(0);
        private final CountDownLatch blocked = new CountDownLatch(1);

        void block(CountDownLatch until) {
            goOn = until;
        }

        void awaitBlocked() throws InterruptedException {
            assertThat(blocked.await(60, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void write(byte[] line) throws IOException {
            blocked.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (isBroken) {
                throw new IOException("Broken pipe");
            }
            received.add(new String(line, StandardCharsets.UTF_8));
        }

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException("Lines are written as a whole.");
        }
    }
}
