package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.internal.session.JobErrors;
import java.util.Map;

/** Describes how a process ended to whoever's job was in it. */
final class ProcessEnd {
    /** Java reports a process that a signal ended with this added to the signal's number. */
    private static final int SIGNAL_BASE = 128;

    private static final int SIGNAL_MAX = 64;
    private static final Map<Integer, String> SIGNALS = Map.of(
            1, "SIGHUP", 2, "SIGINT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV",
            13, "SIGPIPE", 15, "SIGTERM");

    private ProcessEnd() {}

    /** The error of a job during which its process ended. */
    static JobError error(int exitCode, boolean loaded, String stderr) {
        String when = loaded ? "while the job ran" : "before the script was loaded";
        String message = "The process " + how(exitCode) + " " + when + "."
                + (exitCode == SIGNAL_BASE + 9 ? " The system may have been out of memory." : "")
                + (stderr.isEmpty() ? "" : " Its last words: " + stderr);
        return JobErrors.of("ProcessExited", message, true);
    }

    private static String how(int exitCode) {
        int signal = exitCode - SIGNAL_BASE;
        if (signal > 0 && signal <= SIGNAL_MAX) {
            return "was ended by " + SIGNALS.getOrDefault(signal, "signal " + signal);
        }
        return "exited with code " + exitCode;
    }
}
