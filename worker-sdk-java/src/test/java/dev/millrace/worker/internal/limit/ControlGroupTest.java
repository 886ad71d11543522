package dev.millrace.worker.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.worker.ControlGroupChoice;
import dev.millrace.worker.JobLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Control groups of the system itself. Skipped where this process may make none. Limits of tasks are tested where the
 * system lets either version of cgroup control them, those of memory where cgroup v2 does; that groups end at once,
 * everywhere.
 */
final class ControlGroupTest {
    private static final long END_SECONDS = 120;

    /** Starts more of itself than can be counted, each in a session of its own. */
    private static final String BOMB =
            "bomb() { setsid sh -c \"$1\" bomb \"$1\" & }; bomb \"$1\"; bomb \"$1\"; echo; wait";

    /** Tells how many sleeping processes it could start, of a hundred. */
    private static final String COUNTS = """
            import os, signal
            children = []
            try:
                for _ in range(100):
                    child = os.fork()
                    if child == 0:
                        signal.pause()
                    children.append(child)
            except BlockingIOError:
                pass
            print(len(children), flush=True)
            signal.pause()
            """;

    private static final String HOG = "kept = bytearray(200 << 20); print(len(kept), flush=True)";

    private static Optional<ControlGroups> groups = Optional.empty();

    @BeforeAll
    static void needsControlGroups() {
        groups = ControlGroups.of(ControlGroupChoice.AUTO);
        assumeTrue(groups.isPresent(), "control groups work here");
    }

    @AfterAll
    static void close() {
        groups.ifPresent(ControlGroups::close);
    }

    @Test
    void endsAllMembersAtOnceAndIsRemoved() throws Exception {
        ControlGroup group = groups.orElseThrow().create("bomb", JobLimits.NONE);
        Process bomb = start(group, "sh", "-c", BOMB, "bomb", BOMB);
        assertThat(bomb.inputReader().readLine()).isEmpty();

        group.close();

        assertThat(bomb.waitFor(END_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(group.members())
                .isNotEmpty()
                .allSatisfy(members -> assertThat(members.getParent()).doesNotExist());
    }

    @Test
    void hasNoMoreTasksThanItsWall() throws Exception {
        if (groups.orElseThrow().tasksFolder().isEmpty()) {
            assumeControlled("pids");
        }
        try (ControlGroup group = groups.orElseThrow().create("wall", JobLimits.NONE.withProcesses(2))) {
            try (BufferedReader answer = start(group, "python3", "-c", COUNTS).inputReader()) {
                assertThat(answer.readLine()).isEqualTo(Integer.toString(3 * ControlGroups.TASKS_PER_PROCESS - 1));
            }
            assertThat(group.wasOutOfMemory()).isFalse();
            assertThat(group.hasRefusedTasks()).isTrue();
            assertThat(group.hasRefusedTasks()).as("since then").isFalse();
        }
    }

    @Test
    void tellsWhenItsMemoryWasNotEnough() throws Exception {
        assumeControlled("memory");
        try (ControlGroup group = groups.orElseThrow().create("hog", JobLimits.NONE.withMemoryBytes(100 << 20))) {
            Process hog = start(group, "python3", "-c", HOG);

            assertThat(hog.inputReader().readLine()).isNull();
            assertThat(hog.waitFor(END_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(group.wasOutOfMemory()).isTrue();
        }
    }

    @Test
    void anotherPoolLeavesAnEmptyOneAlone() throws Exception {
        try (ControlGroups other = ControlGroups.of(ControlGroupChoice.REQUIRED).orElseThrow();
                ControlGroup group = groups.orElseThrow().create("later", JobLimits.NONE.withProcesses(2))) {
            assertThat(other.folder()).exists();
            assertThat(group.members())
                    .allSatisfy(members -> assertThat(members).exists());
        }
    }

    private static Process start(ControlGroup group, String... program) throws IOException {
        List<String> command = new ArrayList<>();
        for (Path members : group.members()) {
            command.addAll(List.of("sh", "-c", "echo 0 > \"$0\" && exec \"$@\"", members.toString()));
        }
        command.addAll(List.of(program));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void assumeControlled(String controller) throws IOException {
        String controlled = Files.readString(groups.orElseThrow().folder().resolve("cgroup.subtree_control"));
        assumeTrue(controlled.contains(controller), "the system lets cgroup v2 control " + controller);
    }
}
