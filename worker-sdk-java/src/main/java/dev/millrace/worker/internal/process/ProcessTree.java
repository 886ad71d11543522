package dev.millrace.worker.internal.process;

import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends processes and all their descendants, including those that left the process group. */
final class ProcessTree {
    /** Scans for marked processes repeat until one finds nothing new, but at most this often. */
    static final int SCANS_MAX = 10;

    private static final Logger logger = LoggerFactory.getLogger(ProcessTree.class);
    private static final Path PROC = Path.of("/proc");

    private ProcessTree() {}

    /** Whether this system lets processes be found by their mark. */
    static boolean isSupported() {
        return Files.isDirectory(PROC);
    }

    /**
     * Kills the process, its group, and all processes with its mark. The process itself ends before what it has started,
     * so that it does not take the ends of its children for ordinary ones and go on.
     *
     * @param guard kills the group soon, if it lives
     */
    static void kill(Process process, ProcessMark marks, String processId, ProcessGuard guard) {
        if (process.isAlive()) {
            if (!guard.killGroup(process.pid())) {
                killGroup(process);
            }
            List<ProcessHandle> descendants = process.descendants().collect(toList());
            process.toHandle().destroyForcibly();
            descendants.forEach(ProcessHandle::destroyForcibly);
        }
        killMarked(marks, processId);
    }

    /** Kills every process with this mark; only on Linux. */
    static void killMarked(ProcessMark marks, String processId) {
        killWhere(process -> marks.isCarriedBy(process, processId));
    }

    /**
     * Kills the processes with this mark that have started since a time, but for the one that was started with it;
     * only on Linux. Returns how many of them were alive.
     */
    static int killProgramsOf(ProcessMark marks, String processId, long pid, Instant since) {
        OptionalLong earliest = ProcessAge.ticksAt(since);
        if (earliest.isEmpty()) {
            return 0;
        }
        return killWhere(process -> !process.endsWith(Long.toString(pid))
                && ProcessAge.startTicks(process) >= earliest.getAsLong()
                && marks.isCarriedBy(process, processId));
    }

    /** Kills every process with any mark of this worker; only on Linux. */
    static void killAllMarked(ProcessMark marks) {
        killWhere(marks::isCarriedBy);
    }

    private static int killWhere(Predicate<Path> isMarked) {
        Set<Long> killed = new HashSet<>();
        int scans = 0;
        while (scans < SCANS_MAX && scan(isMarked, killed)) {
            scans++;
        }
        if (scans == SCANS_MAX) {
            logger.warn(
                    "Child processes of a script process could not all be ended; they start new ones faster than they end.");
        }
        return killed.size();
    }

    private static void killGroup(Process process) {
        try {
            ScrubbedCommand.of(new ProcessBuilder("sh", "-c", "kill -KILL -- -" + process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            logger.atWarn()
                    .setCause(e)
                    .log("There is no shell to end a process group; its processes are ended one by one.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills all matching processes. Returns true if one of them was not killed by an earlier scan. */
    private static boolean scan(Predicate<Path> isMarked, Set<Long> killed) {
        boolean foundMore = false;
        if (!isSupported()) {
            return foundMore;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (isMarked.test(process)) {
                    long pid = Long.parseLong(process.getFileName().toString());
                    foundMore |= killed.add(pid);
                    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
        } catch (IOException e) {
            logger.debug("The list of processes could not be read.", e);
        }
        return foundMore;
    }
}
