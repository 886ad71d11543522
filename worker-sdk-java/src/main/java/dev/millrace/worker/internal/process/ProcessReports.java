package dev.millrace.worker.internal.process;

import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.ScriptProcess;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** What a worker tells the scheduler about its processes. */
final class ProcessReports {
    /** Number of processes that a report has at most; the scheduler accepts no more. */
    static final int PROCESSES_MAX = 100;

    private ProcessReports() {}

    /**
     * Makes a report of the processes, those with a job first.
     *
     * @param memoryBytes memory of the process with this id; asked only for processes that are reported
     */
    static ProcessReport of(List<ScriptProcess> processes, LongUnaryOperator memoryBytes) {
        ProcessReport.Builder report =
                ProcessReport.newBuilder().setLeftOff(Math.max(0, processes.size() - PROCESSES_MAX));
        processes.stream()
                .sorted(Comparator.comparing(process -> process.getState() != ScriptProcess.State.STATE_BUSY))
                .limit(PROCESSES_MAX)
                .map(process -> process.getPid() == 0
                        ? process
                        : process.toBuilder()
                                .setMemoryBytes(memoryBytes.applyAsLong(process.getPid()))
                                .build())
                .forEach(report::addProcesses);
        return report.build();
    }
}
