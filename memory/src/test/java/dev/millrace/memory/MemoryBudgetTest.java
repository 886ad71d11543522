package dev.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
    private final MemoryBudget budget = MemoryBudget.ofBytes(1_000);
    private final MemoryPart part = budget.part("bodies", 0.5);

    @Test
    void carvesPartsThatFitIntoTheWhole() {
        budget.part("streams", 0.5);

        assertThat(budget.parts()).extracting(MemoryPart::limitBytes).containsExactly(500L, 500L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> budget.part("more", 0.1))
                .withMessageContaining("more");
    }

    @Test
    void takesItsShareOfTheHeap() {
        assertThat(MemoryBudget.ofHeap(0.5).limitBytes())
                .isEqualTo(Runtime.getRuntime().maxMemory() / 2);
    }

    @Test
    void refusesWhatExceedsTheLimitAndReservesNothingForIt() {
        assertThat(part.tryReserve(400)).isTrue();
        assertThat(part.tryReserve(101)).isFalse();
        assertThat(part.tryReserve(100)).isTrue();

        assertThat(part.reservedBytes()).isEqualTo(500);
        assertThat(part.refusals()).isEqualTo(1);
        assertThat(part.isFull()).isTrue();
    }

    @Test
    void takesWhatCannotBeRefusedBeyondTheLimit() {
        part.reserve(700);

        assertThat(part.reservedBytes()).isEqualTo(700);
        assertThat(part.isFull()).isTrue();
        assertThat(part.tryReserve(0)).isFalse();
    }

    @Test
    void wakesWhoeverWaitsForRoomInTheirOrder() {
        var woken = new ArrayList<String>();
        part.reserve(600);
        part.whenRoom(() -> woken.add("first"));
        part.whenRoom(() -> woken.add("second"));

        part.release(100);
        assertThat(woken).as("at the limit").isEmpty();
        part.release(1);
        assertThat(woken).containsExactly("first", "second");
    }

    @Test
    void wakesOnlyAsManyAsThereIsRoomFor() {
        var woken = new ArrayList<String>();
        part.reserve(500);
        part.whenRoom(() -> {
            woken.add("first");
            part.reserve(10);
        });
        part.whenRoom(() -> woken.add("second"));

        part.release(10);

        assertThat(woken).containsExactly("first");
    }

    @Test
    void noticesReleasesOfWhatWasNeverReserved() {
        assertThatIllegalStateException().isThrownBy(() -> part.release(1)).withMessageContaining("bodies");
    }

    @Test
    void givesBackAReservationOnce() {
        Reservation reservation = part.tryOpen(100).orElseThrow();
        assertThat(reservation.tryGrow(200)).isTrue();
        assertThat(reservation.tryGrow(201)).isFalse();
        reservation.shrinkTo(250);
        assertThat(part.reservedBytes()).isEqualTo(250);
        reservation.release(50);
        assertThat(part.reservedBytes()).isEqualTo(200);

        reservation.close();
        reservation.close();

        assertThat(part.reservedBytes()).isZero();
        assertThat(reservation.tryGrow(1)).as("growth after the end").isFalse();
        reservation.grow(1);
        assertThat(part.reservedBytes()).isZero();
    }

    @Test
    void keepsAQuarterForSmallReservations() {
        MemoryPart bodies = MemoryBudget.ofBytes(1_000_000).part("bodies", 1);
        Reservation large = bodies.tryOpen(700_000).orElseThrow();

        assertThat(large.tryGrow(60_000)).as("growth of a large one").isFalse();
        assertThat(bodies.tryOpen(100_000)).as("another large one").isEmpty();
        assertThat(bodies.tryOpen(60_000)).as("a small one").isPresent();
        assertThat(bodies.reservationBytesMax()).isEqualTo(750_000);
    }

    @Test
    void losesNothingBetweenThreadsThatReserveReleaseAndWait() throws InterruptedException {
        int threads = 8;
        int rounds = 20_000;
        var woken = new AtomicInteger();
        var ready = new CountDownLatch(threads);
        var all = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            all.add(Thread.ofPlatform().start(() -> {
                ready.countDown();
                for (int round = 0; round < rounds; round++) {
                    part.reserve(100);
                    part.whenRoom(woken::incrementAndGet);
                    part.release(100);
                }
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }

        assertThat(part.reservedBytes()).isZero();
        assertThat(woken).as("tasks that ran").hasValue(threads * rounds);
    }
}
