package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.internal.session.JobErrors;
import java.util.Map;

/** Describes the end of a process to the job that ran in it. */
final class ProcessEnd {
    /** Java adds this to the signal's number in the exit code of a process that a signal ended. */
    private static final int SIGNAL_BASE = 128;

    private static final int SIGNAL_MAX = 64;
    private static final Map<Integer, String> SIGNALS = Map.of(
            1, "SIGHUP", 2, "SIGINT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV",
            13, "SIGPIPE", 15, "SIGTERM");

    private ProcessEnd() {}

    /** Returns the error of a job whose process ended. */
    static JobError error(int exitCode, boolean loaded, String stderr) {
        String when = loaded ? "while the job ran" : "before the script was loaded";
        String message = "The process " + how(exitCode) + " " + when + "."
                + (exitCode == SIGNAL_BASE + 9 ? " The system may have been out of memory." : "")
                + (stderr.isEmpty() ? "" : " It last printed on stderr: " + stderr);
        return JobErrors.of("ProcessExited", message, true);
    }

    /** Returns the error of a job whose process ended for another job before it, perhaps after this job had begun. */
    static JobError ofJobBehind() {
        return JobErrors.of(
                "ProcessExited",
                "The process was ended because of the job before this one, which may have begun meanwhile and counts as an"
                        + " attempt.",
                true);
    }

    private static String how(int exitCode) {
        if (exitCode == ForkedProcess.UNKNOWN_EXIT) {
            return "ended for an unknown reason";
        }
        int signal = exitCode - SIGNAL_BASE;
        if (signal > 0 && signal <= SIGNAL_MAX) {
            return "was ended by " + SIGNALS.getOrDefault(signal, "signal " + signal);
        }
        return "exited with code " + exitCode;
    }
}
