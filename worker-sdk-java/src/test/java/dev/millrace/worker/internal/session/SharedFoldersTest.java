package dev.millrace.worker.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.harness.Await;
import dev.millrace.proto.worker.v1.Lease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedFoldersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Lease LEASE =
            Lease.newBuilder().setWorkspace("default").setGroupId("g").build();

    @TempDir
    Path folder = Path.of("");

    /** Leases come on the event loop of the connection, which must not wait for the disk. */
    @Test
    void locksItsFileBeforeTheFirstJob() {
        Path root = folder.resolve("shared");

        SharedFolders folders = new SharedFolders(root);
        Await.until("the file is there", PATIENCE, () -> Files.exists(root) && !isEmpty(root));
        folders.close();

        assertThat(root).isEmptyDirectory();
    }

    private static boolean isEmpty(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysThatItCannotLockItsFileUntilItCan() throws IOException {
        Path inTheWay = Files.createFile(folder.resolve("shared"));
        try (SharedFolders folders = new SharedFolders(inTheWay)) {
            Await.until("a job is refused", PATIENCE, () -> !isGiven(folders));

            Files.delete(inTheWay);

            Await.until("a job is given its folder", PATIENCE, () -> isGiven(folders));
        }
    }

    private static boolean isGiven(SharedFolders folders) {
        try {
            boolean isGiven = folders.hold(LEASE).isPresent();
            folders.endAll();
            return isGiven;
        } catch (IOException refused) {
            return false;
        }
    }
}
