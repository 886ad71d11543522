package dev.millrace.worker.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mark by which a worker finds all descendants of its processes: a number that each process carries and its descendants
 * inherit.
 *
 * <p>The mark is the process's hard limit of {@code RLIMIT_RTTIME}. The limit has no effect on a process without
 * real-time scheduling, and a descendant keeps it in a new session, process group or environment, and under another
 * parent. If {@code prlimit(1)} is missing or forbidden, the mark is an environment variable, which a descendant can
 * drop.
 */
final class ProcessMark {
    /** The first digits of a mark identify the worker, the others number its processes; the whole stays below 2^63. */
    private static final long WORKER_MIN = 1_000_000_000L;

    private static final long WORKER_MAX = 9_000_000_000L;
    private static final int SEQUENCE_DIGITS = 9;

    /** Name of the limit in {@code /proc/PID/limits}. */
    private static final String LIMIT_NAME = "Max realtime timeout";

    private static final Path PROC = Path.of("/proc");
    private static final Logger logger = LoggerFactory.getLogger(ProcessMark.class);

    private final String worker;
    private final AtomicLong started = new AtomicLong();
    private final List<String> prlimit;

    private ProcessMark(String worker, List<String> prlimit) {
        this.worker = worker;
        this.prlimit = prlimit;
    }

    /** Chooses a mark for this worker, and checks whether the system lets processes carry it. */
    static ProcessMark choose() {
        String worker = Long.toString(ThreadLocalRandom.current().nextLong(WORKER_MIN, WORKER_MAX));
        if (!Files.isDirectory(PROC)) {
            logger.info(
                    "This system has no /proc: processes that a script starts in their own session may outlive its job.");
            return new ProcessMark(worker, List.of());
        }
        ProcessMark byLimit = new ProcessMark(
                worker,
                Executables.find("prlimit")
                        .map(path -> List.of(path.toString()))
                        .orElse(List.of()));
        if (byLimit.canMark()) {
            return byLimit;
        }
        logger.warn(
                "The program prlimit (package util-linux) is missing or may not set limits: processes that a script starts with their"
                        + " own environment may outlive its job. Install it, or run the worker in a container or a systemd unit, which end everything.");
        return new ProcessMark(worker, List.of());
    }

    private boolean canMark() {
        if (prlimit.isEmpty()) {
            return false;
        }
        List<String> command = new ArrayList<>(command(next()));
        command.add("true");
        return ScrubbedCommand.succeeds(command);
    }

    /** Returns the mark of the next process. */
    String next() {
        return worker + String.format(Locale.ROOT, "%0" + SEQUENCE_DIGITS + "d", started.incrementAndGet());
    }

    /** Returns the mark of processes that have no script yet. The limit can only be lowered, so this is the highest. */
    String ofTemplate() {
        return worker + "9".repeat(SEQUENCE_DIGITS);
    }

    /** Beginning of a command line that gives its process this mark. */
    List<String> command(String mark) {
        return command(mark, ResourceLimits.NONE);
    }

    /** Beginning of a command line that gives its process this mark and these limits. */
    List<String> command(String mark, ResourceLimits limits) {
        if (prlimit.isEmpty()) {
            return List.of();
        }
        List<String> command = new ArrayList<>(prlimit);
        command.add("--rttime=" + mark + ":" + mark);
        command.addAll(limits.options());
        return command;
    }

    /** Returns the value of the limit that gives a process this mark; empty if the environment alone is the mark. */
    Optional<String> limit(String mark) {
        return prlimit.isEmpty() ? Optional.empty() : Optional.of(mark);
    }

    /** Whether a process, given by its folder below {@code /proc}, carries this mark. */
    boolean isCarriedBy(Path process, String mark) {
        return prlimit.isEmpty()
                ? hasVariable(process, mark + '\0')
                : limitOf(process).equals(mark);
    }

    /** Whether a process carries any mark of this worker. */
    boolean isCarriedBy(Path process) {
        return prlimit.isEmpty()
                ? hasVariable(process, worker)
                : limitOf(process).length() == worker.length() + SEQUENCE_DIGITS
                        && limitOf(process).startsWith(worker);
    }

    /**
     * Name of the file below {@code /proc/PID} that holds the mark, and the basic regular expression that finds any
     * mark of this worker in it.
     */
    Map.Entry<String, String> search() {
        return prlimit.isEmpty()
                ? Map.entry("environ", ProcessEnvironment.PROCESS_ID_VARIABLE + "=" + worker)
                : Map.entry("limits", "^" + LIMIT_NAME + " .* " + worker + "[0-9]\\{" + SEQUENCE_DIGITS + "\\} ");
    }

    /** Returns the hard limit; empty if the process has ended. */
    private static String limitOf(Path process) {
        String limits = read(process.resolve("limits"));
        int begin = limits.indexOf(LIMIT_NAME);
        if (begin < 0) {
            return "";
        }
        int end = limits.indexOf('\n', begin);
        String[] columns = limits.substring(begin + LIMIT_NAME.length(), end < 0 ? limits.length() : end)
                .trim()
                .split(" +", -1);
        return columns.length < 2 ? "" : columns[1];
    }

    private static boolean hasVariable(Path process, String valueBegin) {
        String variable = ProcessEnvironment.PROCESS_ID_VARIABLE + "=" + valueBegin;
        String environment = read(process.resolve("environ"));
        return environment.startsWith(variable) || environment.contains('\0' + variable);
    }

    /** Empty if the process has ended or belongs to another user. */
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
