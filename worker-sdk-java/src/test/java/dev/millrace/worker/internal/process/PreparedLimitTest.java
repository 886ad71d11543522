package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PreparedLimitTest {
    private static final int BYTES = 1000;

    @TempDir
    private Path folder = Path.of("");

    private Path root;
    private Path cache;

    @BeforeEach
    void create() throws IOException {
        root = Files.createDirectory(folder.resolve("prepared"));
        cache = folder.resolve("prepared-caches/go");
    }

    @Test
    void theVersionsThatWereNotUsedForLongestGo() throws Exception {
        Path oldest = version("a", Duration.ofDays(3));
        Path used = version("b", Duration.ofDays(3));
        Path newer = version("c", Duration.ofDays(2));
        PreparedLimit limit = new PreparedLimit(root, 2 * BYTES);
        limit.touch(used);

        limit.evict();

        assertThat(oldest).doesNotExist();
        assertThat(used).exists();
        assertThat(newer).exists();
    }

    @Test
    void aVersionThatWasJustUsedStaysEvenAboveTheLimit() throws Exception {
        Path version = version("a", Duration.ofMinutes(1));

        new PreparedLimit(root, 0).evict();

        assertThat(version).exists();
    }

    @Test
    void aCacheGoesFirstButNotWhileSomethingIsPrepared() throws Exception {
        Path version = version("a", Duration.ofMinutes(1));
        PreparedLimit limit = new PreparedLimit(root, BYTES);

        limit.whileCacheStays("go", given -> {
            Files.write(given.resolve("object"), new byte[BYTES / 2]);
            Thread eviction = new Thread(() -> new PreparedLimit(root, BYTES).evict());
            eviction.start();
            join(eviction);
            assertThat(given.resolve("object")).exists();
            return given;
        });
        assertThat(cache.resolve("object")).exists();
        limit.evict();

        assertThat(cache).doesNotExist();
        assertThat(version).exists();
    }

    @Test
    void whatAKilledWorkerLeftGoesLater() throws Exception {
        Path abandoned = version("new-1", Duration.ofHours(2));
        Path begun = version("new-2", Duration.ofMinutes(1));

        new PreparedLimit(root, Long.MAX_VALUE).evict();

        assertThat(abandoned).doesNotExist();
        assertThat(begun).exists();
    }

    private Path version(String name, Duration age) throws IOException {
        Path place = Files.createDirectories(root.resolve("team/hash-" + name).resolve(name));
        Files.write(place.resolve("program"), new byte[BYTES]);
        Files.setLastModifiedTime(place, FileTime.from(Instant.now().minus(age)));
        return place;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
