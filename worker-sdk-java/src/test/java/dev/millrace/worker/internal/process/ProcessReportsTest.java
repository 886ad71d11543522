package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.ScriptProcess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reports are bounded, whatever a worker has. */
final class ProcessReportsTest {
    @Test
    void reportsBusyProcessesFirstAndCountsTheRest() {
        List<ScriptProcess> processes = new ArrayList<>();
        for (int pid = 1; pid <= ProcessReports.PROCESSES_MAX + 5; pid++) {
            processes.add(process(pid, ScriptProcess.State.STATE_IDLE));
        }
        processes.add(process(9_999, ScriptProcess.State.STATE_BUSY));

        ProcessReport report = ProcessReports.of(processes, pid -> pid * 10);

        assertThat(report.getProcessesList()).hasSize(ProcessReports.PROCESSES_MAX);
        assertThat(report.getProcesses(0).getPid()).isEqualTo(9_999);
        assertThat(report.getProcesses(0).getMemoryBytes()).isEqualTo(99_990);
        assertThat(report.getLeftOff()).isEqualTo(6);
    }

    @Test
    void asksForNoMemoryOfAProcessThatHasNotStarted() {
        ProcessReport report = ProcessReports.of(List.of(process(0, ScriptProcess.State.STATE_STARTING)), pid -> {
            throw new AssertionError("asked for " + pid);
        });

        assertThat(report.getProcesses(0).getMemoryBytes()).isZero();
    }

    private static ScriptProcess process(long pid, ScriptProcess.State state) {
        return ScriptProcess.newBuilder().setPid(pid).setState(state).build();
    }
}
