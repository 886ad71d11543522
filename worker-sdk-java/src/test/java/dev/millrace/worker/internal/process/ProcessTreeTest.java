package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessTreeTest {
    private static final long END_SECONDS = 60;
    private static final int CHILDREN = 200;

    /** Notes in a file that a child has ended, which only a process can that lives longer than the child. */
    private static final String WATCHES_ITS_CHILDREN =
            "for i in $(seq " + CHILDREN + "); do sleep 600 & done; echo; wait -n; : > \"$0\"";

    @TempDir
    private Path folder;

    @Test
    void endsTheProcessBeforeItsChildren() throws Exception {
        ProcessMark marks = ProcessMark.choose();
        String mark = marks.next();
        Path file = folder.resolve("a-child-has-ended");
        List<String> command = new ArrayList<>(marks.command(mark));
        command.addAll(List.of("bash", "-c", WATCHES_ITS_CHILDREN, file.toString()));
        try (ProcessGuard guard = ProcessGuard.start(marks, folder.resolve("none"), Optional.empty())) {
            Process process = new ProcessBuilder(command).start();
            BufferedReader output = process.inputReader();
            assertThat(output.readLine()).isEmpty();

            // The process is in the test's own group, so the guard finds no group to end.
            ProcessTree.kill(process, marks, mark, guard);

            assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(output.readLine())
                    .as("output after the last child's end")
                    .isNull();
            assertThat(file).doesNotExist();
        }
    }
}
