package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.limit.ControlGroups;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small process beside the worker that ends groups of processes, and that ends the worker's processes and their
 * descendants if the worker is killed.
 *
 * <p>The guard is a shell. It reads from a pipe the ids of groups to kill. It is there already, because a program that is
 * started against a script that forks without end comes too late. Only the worker's own end ends the pipe. Then it kills all processes that carry the worker's mark. It has its own session, so that a kill of the worker's
 * process group spares it. A killed guard is replaced.
 */
final class ProcessGuard implements AutoCloseable {
    /** A guard that lives shorter than this cannot work on this system, and is not restarted. */
    private static final long LIFE_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The guard scans until a scan finds nothing new, but at most this often: beyond it, something starts processes
     * faster than they end.
     */
    private static final int SCANS_MAX = 100;

    /**
     * Arguments: the file below /proc/PID, the regular expression that finds the mark in it, the folder to delete, and
     * those of the control groups, the first of which ends its members; or none.
     */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            while read -r group; do kill -KILL -- "-$group" 2>/dev/null; done
            if [ -n "$4" ]; then { echo 1 > "$4/cgroup.kill"; } 2>/dev/null; fi
            scans=0 before=
            while [ $scans -lt %d ]; do
              marked=$(grep -l -e "$2" /proc/[0-9]*/"$1" 2>/dev/null | cut -d/ -f3)
              [ "$marked" = "$before" ] && break
              kill -KILL $marked 2>/dev/null
              before=$marked scans=$((scans + 1))
            done
            rm -rf -- "$3"
            for groups in "$4" "$5"; do
              if [ -n "$groups" ]; then rmdir "$groups"/*/ "$groups" 2>/dev/null; fi
            done
            """.formatted(SCANS_MAX);

    private static final Logger logger = LoggerFactory.getLogger(ProcessGuard.class);

    private final List<String> command;
    private @Nullable Process guard;
    private boolean closed;

    private ProcessGuard(List<String> command) {
        this.command = command;
    }

    /**
     * Starts the guard for processes with this mark. Guards nothing on a system without {@code /proc}.
     *
     * @param folder files of these processes, to be deleted after them
     * @param groups their control groups, if they have any
     */
    static ProcessGuard start(ProcessMark mark, Path folder, Optional<ControlGroups> groups) {
        requireNonNull(mark, "mark");
        Map.Entry<String, String> search = mark.search();
        List<String> command = new ArrayList<>();
        Executables.find("setsid").ifPresent(path -> command.add(path.toString()));
        command.addAll(List.of("sh", "-c", SCRIPT, "millrace-guard", search.getKey(), search.getValue()));
        command.add(folder.toString());
        command.add(path(groups.map(ControlGroups::folder)));
        command.add(path(groups.flatMap(ControlGroups::tasksFolder)));
        ProcessGuard guard = new ProcessGuard(command);
        if (ProcessTree.isSupported()) {
            guard.start();
        }
        return guard;
    }

    private static String path(Optional<Path> folder) {
        return folder.map(Path::toString).orElse("");
    }

    private synchronized void start() {
        if (closed) {
            return;
        }
        try {
            long startNanos = System.nanoTime();
            Process started = ScrubbedCommand.of(new ProcessBuilder(command))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            guard = started;
            var unused = started.onExit().thenRun(() -> ended(System.nanoTime() - startNanos));
        } catch (IOException e) {
            warn(e);
        }
    }

    private void ended(long livedNanos) {
        if (livedNanos >= LIFE_MIN_NANOS) {
            start();
        } else if (!isClosed()) {
            warn(null);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private static void warn(@Nullable IOException cause) {
        logger.atWarn()
                .setCause(cause)
                .log(
                        "This worker has no guard, which needs sh, grep and cut: if the worker is killed, processes that its scripts have"
                                + " started may outlive it.");
    }

    /**
     * Kills all processes of a group, which happens soon after this call.
     *
     * @return false if there is no guard
     */
    synchronized boolean killGroup(long group) {
        if (guard == null || closed) {
            return false;
        }
        try {
            // A line that is cut off, because the worker is killed meanwhile, is not obeyed.
            guard.getOutputStream().write((group + "\n").getBytes(StandardCharsets.US_ASCII));
            guard.getOutputStream().flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends the guard, which scans a last time for leftovers of the worker. */
    @Override
    public synchronized void close() {
        closed = true;
        if (guard != null) {
            try {
                guard.getOutputStream().close();
            } catch (IOException e) {
                logger.debug("The pipe to the guard was closed already.", e);
            }
        }
    }
}
