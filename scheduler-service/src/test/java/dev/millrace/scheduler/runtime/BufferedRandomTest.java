package dev.millrace.scheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BufferedRandomTest {
    private static final int NUMBERS = 5_000;

    @Test
    void givesOutTheBytesOfItsSourceInTheirOrder() {
        RandomGenerator source = new Random(3);
        RandomGenerator buffered = new BufferedRandom(new Random(3));
        byte[] block = new byte[4 << 10];
        for (int i = 0; i < NUMBERS; ) {
            source.nextBytes(block);
            ByteBuffer expected = ByteBuffer.wrap(block);
            while (expected.hasRemaining() && i++ < NUMBERS) {
                assertThat(buffered.nextLong()).isEqualTo(expected.getLong());
            }
        }
    }

    @Test
    void givesNoNumberTwiceToDifferentThreads() throws Exception {
        RandomGenerator buffered = new BufferedRandom(new Random(5));
        Set<Long> seen = new HashSet<>();
        Runnable drawing = () -> {
            for (int i = 0; i < NUMBERS; i++) {
                long number = buffered.nextLong();
                synchronized (seen) {
                    seen.add(number);
                }
            }
        };
        Thread first = Thread.ofPlatform().start(drawing);
        Thread second = Thread.ofPlatform().start(drawing);
        first.join();
        second.join();
        assertThat(seen).hasSize(2 * NUMBERS);
    }
}
