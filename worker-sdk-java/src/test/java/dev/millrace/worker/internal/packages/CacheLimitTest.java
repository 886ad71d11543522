package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheLimitTest {
    private static final int ENTRY_BYTES = 1_000;

    /** Locks a file as a worker in another process does, says so, and lives until its input ends. */
    private static final String OTHER_WORKER = """
            import fcntl, sys
            file = open(sys.argv[1], 'w')
            fcntl.lockf(file, fcntl.LOCK_EX)
            file.write(sys.argv[2])
            file.flush()
            print('locked', flush=True)
            sys.stdin.read()
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void install() throws IOException {
        for (int age = 1; age <= 4; age++) {
            Path entry = Files.createDirectories(folder.resolve("python3.12/package-" + age));
            Files.write(entry.resolve("module.py"), new byte[ENTRY_BYTES]);
            Files.setLastModifiedTime(entry, FileTime.from(Instant.now().minusSeconds(60L * age)));
        }
    }

    @Test
    void removesWhatWasNotUsedForLongestUntilTheRestIsBelowTheLimit() throws IOException {
        CacheLimit limit = new CacheLimit(folder, 2 * ENTRY_BYTES, uses());

        assertThat(limit.evict()).isEqualTo(2);
        assertThat(entries()).containsExactly("package-1", "package-2");
        assertThat(limit.evict()).isZero();
    }

    @Test
    void keepsWhatAnyWorkerUsesUntilTheLastUseEnds() throws IOException {
        CacheUses other = uses();
        List<String> used = List.of("python3.12/package-3", "python3.12/package-4");
        other.begin(used);
        other.begin(used);
        other.end(used);
        CacheLimit limit = new CacheLimit(folder, ENTRY_BYTES, uses());

        assertThat(limit.evict()).isEqualTo(2);
        assertThat(entries()).containsExactly("package-3", "package-4");
        other.end(used);
        assertThat(limit.evict()).isEqualTo(1);
        assertThat(entries()).containsExactly("package-3");
    }

    @Test
    void whatAKilledWorkerUsedCountsNoLonger() throws Exception {
        CacheLimit limit = new CacheLimit(folder, 3 * ENTRY_BYTES, uses());
        Path file = folder.resolve("uses").resolve("other.uses");
        Process worker =
                new ProcessBuilder("python3", "-c", OTHER_WORKER, file.toString(), "python3.12/package-4").start();
        try {
            assertThat(worker.inputReader().readLine()).isEqualTo("locked");

            limit.evict();
            assertThat(entries()).containsExactly("package-1", "package-2", "package-4");

            worker.destroyForcibly().waitFor();
            new CacheLimit(folder, 2 * ENTRY_BYTES, uses()).evict();
            assertThat(entries()).containsExactly("package-1", "package-2");
            assertThat(file).doesNotExist();
        } finally {
            worker.destroyForcibly();
        }
    }

    private CacheUses uses() throws IOException {
        return new CacheUses(folder.resolve("uses"));
    }

    private List<String> entries() throws IOException {
        try (Stream<Path> entries = Files.list(folder.resolve("python3.12"))) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
