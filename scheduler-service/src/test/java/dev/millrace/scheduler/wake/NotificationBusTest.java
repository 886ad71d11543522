package dev.millrace.scheduler.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages between schedulers. */
class NotificationBusTest {
    private static final int PATIENCE_SECONDS = 60;

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch listening = new CountDownLatch(1);

    @Test
    void aMessageThatPostgresRefusesHoldsUpNoOther() throws InterruptedException {
        try (NotificationBus bus = new NotificationBus(postgres.database(), heard::add, listening::countDown)) {
            bus.start();
            assertThat(listening.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

            bus.tell("x".repeat(NotificationBus.MESSAGE_BYTES_MAX + 1));
            bus.tell("ü".repeat(NotificationBus.MESSAGE_BYTES_MAX / 2 + 1));
            bus.tell("y".repeat(NotificationBus.MESSAGE_BYTES_MAX));

            assertThat(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).startsWith("y");
        }
    }

    @Test
    void aMessageThatNobodyUnderstandsHoldsUpNoOther() throws InterruptedException {
        try (NotificationBus bus = new NotificationBus(postgres.database(), this::parse, listening::countDown)) {
            bus.start();
            assertThat(listening.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

            bus.tell("no number");
            bus.tell("1");

            assertThat(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("1");
        }
    }

    private void parse(String message) {
        heard.add(String.valueOf(Integer.parseInt(message)));
    }
}
