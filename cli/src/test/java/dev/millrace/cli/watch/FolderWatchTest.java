package dev.millrace.cli.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each test ends as soon as the change is seen, and fails by its time limit if it is not. */
@Timeout(180)
class FolderWatchTest {
    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("deep/deeper"));
        Files.writeString(folder.resolve("deep/a.py"), "1");
    }

    @Test
    void seesWhatWasWrittenBeforeAnybodyWaited() throws Exception {
        try (FolderWatch watch = FolderWatch.open(List.of(folder))) {
            Files.writeString(folder.resolve("deep/a.py"), "2");

            watch.awaitChange();
        }
    }

    @Test
    void seesAFileThatReplacesAnother() throws Exception {
        try (FolderWatch watch = FolderWatch.open(List.of(folder))) {
            Path draft = Files.writeString(folder.resolve("deep/deeper/draft"), "2");
            watch.awaitChange();

            Files.move(draft, folder.resolve("deep/a.py"), StandardCopyOption.REPLACE_EXISTING);

            watch.awaitChange();
        }
    }

    @Test
    void seesFilesInFoldersThatAreNew() throws Exception {
        try (FolderWatch watch = FolderWatch.open(List.of(folder))) {
            Files.createDirectories(folder.resolve("new/newer"));
            watch.awaitChange();

            Files.writeString(folder.resolve("new/newer/b.py"), "1");

            watch.awaitChange();
        }
    }

    @Test
    void seesDeletions() throws Exception {
        try (FolderWatch watch = FolderWatch.open(List.of(folder))) {
            Files.delete(folder.resolve("deep/a.py"));

            watch.awaitChange();
        }
    }
}
