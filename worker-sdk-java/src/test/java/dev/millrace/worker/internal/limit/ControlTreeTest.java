package dev.millrace.worker.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ControlTreeTest {
    private static final List<String> UNIFIED = List.of(
            "23 29 0:22 / /proc rw,nosuid shared:5 - proc proc rw",
            "26 23 0:24 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate");
    private static final List<String> HYBRID = List.of(
            "30 25 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
            "36 25 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");

    @Test
    void findsItsOwnGroup() throws IOException {
        assertThat(ControlTree.find(UNIFIED, List.of("0::/system.slice/millrace-worker.service")))
                .isEqualTo(Path.of("/sys/fs/cgroup/system.slice/millrace-worker.service"));
        assertThat(ControlTree.find(HYBRID, List.of("8:pids:/a", "0::/b")))
                .isEqualTo(Path.of("/sys/fs/cgroup/unified/b"));
        assertThat(ControlTree.find(UNIFIED, List.of("0::/"))).isEqualTo(Path.of("/sys/fs/cgroup"));
    }

    @Test
    void findsTheGroupThatLimitsTasksInTheOtherVersion() {
        assertThat(ControlTree.findTasks(UNIFIED, List.of("0::/a"))).isEmpty();
        assertThat(ControlTree.findTasks(HYBRID, List.of("9:memory:/m", "8:pids:/a/b", "0::/c")))
                .contains(Path.of("/sys/fs/cgroup/pids/a/b"));
        assertThat(ControlTree.findTasks(HYBRID, List.of("8:pids:/", "0::/c")))
                .contains(Path.of("/sys/fs/cgroup/pids"));
        List<String> inAContainer =
                List.of("30 25 0:26 /docker/1a /sys/fs/cgroup/cpu,pids rw - cgroup cgroup rw,cpu,pids");
        assertThat(ControlTree.findTasks(inAContainer, List.of("8:cpu,pids:/docker/1a/b")))
                .contains(Path.of("/sys/fs/cgroup/cpu,pids/b"));
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> ControlTree.find(UNIFIED.subList(0, 1), List.of("0::/")))
                .hasMessage("no cgroup v2 is mounted");
        assertThatThrownBy(() -> ControlTree.find(UNIFIED, List.of("8:pids:/")))
                .hasMessage("the worker is in no group of cgroup v2");
    }
}
