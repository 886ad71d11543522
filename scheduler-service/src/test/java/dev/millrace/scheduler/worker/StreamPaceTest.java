package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import io.grpc.stub.ServerCallStreamObserver;
import org.junit.jupiter.api.Test;

class StreamPaceTest {
    private final MemoryBudget budget = MemoryBudget.ofBytes(1_000);
    private final MemoryPart results = budget.part("results", 0.5);
    private final MemoryPart logs = budget.part("logs", 0.5);
    private final FakeStream stream = new FakeStream();
    private final StreamPace pace = new StreamPace(stream, results, logs);

    @Test
    void requestsTheFirstMessageBeforeTheStreamIsReady() {
        stream.isReady = false;

        pace.begin();

        assertThat(stream.requested).isEqualTo(1);
        assertThat(stream.isAutomatic).isFalse();
    }

    @Test
    void requestsOneMessageAtATime() {
        pace.begin();

        pace.next();
        pace.next();

        assertThat(stream.requested).isEqualTo(3);
        assertThat(pace.awaitsRoom()).isFalse();
    }

    @Test
    void stopsReadingWhileResultsWait() {
        pace.begin();
        results.reserve(600);

        pace.next();

        assertThat(stream.requested).isEqualTo(1);
        assertThat(pace.awaitsRoom()).isTrue();
        results.release(600);
        assertThat(stream.requested).isEqualTo(2);
        assertThat(pace.awaitsRoom()).isFalse();
    }

    @Test
    void stopsReadingUntilThereIsMemoryForResultsAndLogs() {
        pace.begin();
        results.reserve(500);
        logs.reserve(500);

        pace.next();
        results.release(500);

        assertThat(stream.requested).isEqualTo(1);
        logs.release(500);
        assertThat(stream.requested).isEqualTo(2);
    }

    @Test
    void stopsReadingWhileTheWorkerDoesNotRead() {
        pace.begin();
        stream.isReady = false;

        pace.next();

        assertThat(stream.requested).isEqualTo(1);
        assertThat(pace.awaitsRoom())
                .as("an excuse for a worker that does not read")
                .isFalse();
        stream.isReady = true;
        stream.onReady.run();
        stream.onReady.run();
        assertThat(stream.requested).isEqualTo(2);
    }

    private static final class FakeStream extends ServerCallStreamObserver<Object> {
        int requested;
        boolean isReady = true;
        boolean isAutomatic = true;
        Runnable onReady = () -> {};

        @Override
        public void request(int count) {
            requested += count;
        }

        @Override
        public boolean isReady() {
            return isReady;
        }

        @Override
        public void disableAutoRequest() {
            isAutomatic = false;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            onReady = handler;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void disableAutoInboundFlowControl() {
            isAutomatic = false;
        }

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void onNext(Object value) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
