package dev.millrace.scheduler.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.Metrics;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TriggerListenersTest {
    @Test
    void oneThatCannotBeMadeDoesNotHoldUpTheOthers() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Supplier<TriggerListener> broken = () -> {
            throw new IllegalStateException("settings of a later version");
        };
        List<TriggerListeners.Wanted> wanted = List.of(wanted(broken), wanted(() -> new Counting(begun)));

        try (TriggerListeners _ =
                new TriggerListeners("test", () -> wanted, new ListenTroubles(Metrics.ofProcess())).start()) {
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static TriggerListeners.Wanted wanted(Supplier<TriggerListener> listener) {
        return new TriggerListeners.Wanted(UUID.randomUUID(), "mqtt", 1, "test", listener, _ -> {});
    }

    private record Counting(CountDownLatch begun) implements TriggerListener {
        @Override
        public void run() {
            begun.countDown();
        }

        @Override
        public void stop() {}
    }
}
