package dev.millrace.scheduler.worker;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What workers report about their processes. Workers may report anything, so nothing in a report is trusted. */
final class ReportedProcesses {
    /** Number of processes of a worker that are kept and listed. */
    static final int PROCESSES_MAX = 100;
    /** Maximum size of a heartbeat with its report, in bytes. */
    static final int HEARTBEAT_BYTES_MAX = 32 << 10;

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    /** End of the year 9999, after which no text form of a time is agreed on. */
    private static final long SECONDS_MAX = 253_402_300_799L;

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private ReportedProcesses() {}

    /**
     * Returns the report as it may be stored.
     *
     * @param mayServe whether the worker may serve a workspace; processes for others are left out
     * @throws IllegalArgumentException if the report has too many processes, or one that lists cannot show
     */
    static ProcessReport checked(ProcessReport report, Predicate<Workspace> mayServe) {
        if (report.getProcessesCount() > PROCESSES_MAX) {
            throw new IllegalArgumentException("heartbeat.processes.processes: " + report.getProcessesCount()
                    + " entries (expected: at most " + PROCESSES_MAX + ")");
        }
        ProcessReport.Builder kept = ProcessReport.newBuilder().setLeftOff(Math.max(0, report.getLeftOff()));
        for (ScriptProcess process : report.getProcessesList()) {
            check(process);
            if (mayServe.test(new Workspace(process.getWorkspace()))) {
                kept.addProcesses(process.toBuilder().clearScriptPath());
            }
        }
        return kept.build();
    }

    private static void check(ScriptProcess process) {
        if (!HASH.matcher(process.getScriptHash()).matches()) {
            throw new IllegalArgumentException(
                    "heartbeat.processes.processes.script_hash: not a hash (expected: 64 characters 0-9 and a-f)");
        }
        if (!process.getLanguage().isEmpty()) {
            var _ = new Language(process.getLanguage());
        }
        Timestamp start = process.getStartTime();
        if (start.getSeconds() < 0
                || start.getSeconds() > SECONDS_MAX
                || start.getNanos() < 0
                || start.getNanos() >= NANOS_PER_SECOND) {
            throw new IllegalArgumentException(
                    "heartbeat.processes.processes.start_time: not a time (expected: one from 1970 to 9999)");
        }
    }

    /** Adds the number of processes by language and state. */
    static void count(ProcessReport report, Map<List<String>, Integer> counts) {
        report.getProcessesList()
                .forEach(process ->
                        counts.merge(List.of(process.getLanguage(), state(process.getState())), 1, Integer::sum));
    }

    private static String state(ScriptProcess.State state) {
        return switch (state) {
            case STATE_STARTING -> "starting";
            case STATE_IDLE -> "idle";
            case STATE_BUSY -> "busy";
            case STATE_DRAINING -> "draining";
            case STATE_UNSPECIFIED, UNRECOGNIZED -> "unknown";
        };
    }

    /** Reads a stored report; empty if there is none. */
    static ProcessReport read(byte @Nullable [] column) {
        if (column == null) {
            return ProcessReport.getDefaultInstance();
        }
        try {
            return ProcessReport.parseFrom(column);
        } catch (InvalidProtocolBufferException notOurs) {
            throw new IllegalStateException("The processes in worker_session are not valid", notOurs);
        }
    }
}
