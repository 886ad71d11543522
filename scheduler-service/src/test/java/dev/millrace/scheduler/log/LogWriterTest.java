package dev.millrace.scheduler.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LogWriterTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    private final IdSource ids = new IdSource(() -> 1, RandomGenerator.of("L64X128MixRandom"));
    private final RunId run = ids.nextRun();
    private final RunEvents events = new RunEvents();
    private final LogStore store = new LogStore(DATABASE);
    private final MemoryPart memory = MemoryBudget.ofBytes(1_000).part("logs", 1);
    private final LogWriter writer = LogWriter.start(store, events, memory, (_, _) -> true, 1);

    @AfterEach
    void closeWriter() {
        writer.close();
    }

    @Test
    void storesInTheOrderOfArrival() {
        List<CompletableFuture<Void>> appends = IntStream.range(0, 100)
                .mapToObj(sequence -> writer.append(List.of(entry(sequence, "line " + sequence))))
                .toList();
        appends.forEach(CompletableFuture::join);

        assertThat(read())
                .extracting(chunk -> chunk.entry().text())
                .containsExactlyElementsOf(
                        IntStream.range(0, 100).mapToObj(n -> "line " + n).toList());
    }

    @Test
    void keepsTheFirstOfTwoChunksWithTheSamePlace() {
        writer.append(List.of(entry(0, "first"))).join();
        writer.append(List.of(entry(0, "again"), entry(1, "second"))).join();

        assertThat(read()).extracting(chunk -> chunk.entry().text()).containsExactly("first", "second");
    }

    @Test
    void replacesWhatPostgresCannotHold() {
        writer.append(List.of(entry(0, "a\0b\uD800c\uDC00d\uD83D\uDE00"))).join();

        assertThat(read().getFirst().entry().text()).isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uD83D\uDE00");
    }

    @Test
    void wakesFollowersOnceStored() throws InterruptedException {
        CountDownLatch woken = new CountDownLatch(1);
        try (var _ = events.subscribe(run, woken::countDown)) {
            writer.system(run, run.rootJob(), "", 1, "The worker was lost.");

            assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(read().getFirst().entry()).satisfies(entry -> {
            assertThat(entry.stream()).isEqualTo(LogStream.SYSTEM);
            assertThat(entry.text()).isEqualTo("The worker was lost.\n");
        });
    }

    @Test
    void holdsItsRoomUntilTheDatabaseHasTheText() throws InterruptedException {
        CountDownLatch room = new CountDownLatch(1);
        List<CompletableFuture<Void>> appends = IntStream.range(0, 20)
                .mapToObj(sequence -> writer.append(List.of(entry(sequence, "x".repeat(500)))))
                .toList();
        memory.whenRoom(room::countDown);

        appends.forEach(CompletableFuture::join);

        assertThat(room.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(read()).hasSize(20);
        writer.close();
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void storesWhatWaitsBeforeItCloses() {
        CompletableFuture<Void> append = writer.append(List.of(entry(0, "last words")));

        writer.close();

        assertThat(append).isCompleted();
        assertThat(read()).hasSize(1);
        assertThatThrownBy(() -> writer.append(List.of(entry(1, "too late"))).join())
                .hasMessageContaining("about to stop");
    }

    private LogEntry entry(long sequence, String text) {
        return new LogEntry(run, run.rootJob(), "", 1, LogStream.STDOUT, sequence, text);
    }

    private List<LogChunk> read() {
        return store.read(run, Optional.empty(), 0, 1_000);
    }
}
