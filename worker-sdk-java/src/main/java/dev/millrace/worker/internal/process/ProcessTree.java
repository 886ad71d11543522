package dev.millrace.worker.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends processes together with everything they have started, also what has left their process group. */
final class ProcessTree {
    /** Scans for processes by their environment go on until one finds nothing new, but not longer than this. */
    static final int SCANS_MAX = 10;

    private static final Logger logger = LoggerFactory.getLogger(ProcessTree.class);
    private static final Path PROC = Path.of("/proc");

    private ProcessTree() {}

    /** Kills the process, its group and whatever carries its id. */
    static void kill(Process process, String processId) {
        if (process.isAlive()) {
            killGroup(process);
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.toHandle().destroyForcibly();
        }
        killMarked(processId);
    }

    /** Kills every process that carries this process id in its environment; only on Linux. */
    static void killMarked(String processId) {
        killWhereEnvironmentHas(processId + '\0');
    }

    /** Kills every process that carries a process id with this beginning in its environment; only on Linux. */
    static void killAllMarked(String processIdPrefix) {
        killWhereEnvironmentHas(processIdPrefix);
    }

    private static void killWhereEnvironmentHas(String value) {
        byte[] mark = (ProcessCommands.PROCESS_ID_VARIABLE + "=" + value).getBytes(StandardCharsets.UTF_8);
        Set<Long> killed = new HashSet<>();
        int scans = 0;
        while (scans < SCANS_MAX && scan(mark, killed)) {
            scans++;
        }
        if (scans == SCANS_MAX) {
            logger.warn(
                    "Child processes of a script process could not all be ended; they start new ones faster than they end.");
        }
    }

    private static void killGroup(Process process) {
        try {
            new ProcessBuilder("sh", "-c", "kill -KILL -- -" + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            logger.atWarn()
                    .setCause(e)
                    .log("No shell to end a process group with; its processes are ended one by one.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills what it finds; true where something was not among those that have been killed already and are about to disappear. */
    private static boolean scan(byte[] mark, Set<Long> killed) {
        boolean foundMore = false;
        if (!Files.isDirectory(PROC)) {
            return foundMore;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (contains(environment(process), mark)) {
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

    /** The environment of a process; empty where it has just ended or belongs to somebody else. */
    private static byte[] environment(Path process) {
        try {
            return Files.readAllBytes(process.resolve("environ"));
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static boolean contains(byte[] bytes, byte[] mark) {
        outer:
        for (int i = 0; i <= bytes.length - mark.length; i++) {
            for (int j = 0; j < mark.length; j++) {
                if (bytes[i + j] != mark[j]) {
                    continue outer;
                }
            }
            if (i == 0 || bytes[i - 1] == 0) {
                return true;
            }
        }
        return false;
    }
}
