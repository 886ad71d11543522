package dev.millrace.worker.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds the processes of a worker that wait for a script. */
public final class SpareProcesses {
    private final ProcessTable processes;
    private final String program;

    /**
     * @param folder of the worker
     * @param program name of the file that they run
     */
    public SpareProcesses(Path folder, String program) {
        this.processes = new ProcessTable(folder);
        this.program = program;
    }

    /** The id of the one that waits, once there is one. */
    public String await() {
        return Long.toString(awaitHandle().pid());
    }

    /** The one that waits, once there is one. */
    public ProcessHandle awaitHandle() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FakeScheduler.WAIT_SECONDS);
        Optional<ProcessHandle> found = find();
        while (found.isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            found = find();
        }
        return found.orElseThrow();
    }

    /** The one that waits now. */
    public Optional<ProcessHandle> find() {
        return processes.processes().stream().filter(this::waits).findFirst().flatMap(ProcessHandle::of);
    }

    /** Whether it waits, rather than having been told its script: its working directory is still that of its workspace. */
    private boolean waits(long pid) {
        try {
            Path process = Path.of("/proc", Long.toString(pid));
            List<String> command =
                    List.of(Files.readString(process.resolve("cmdline")).split("\0", -1));
            return command.get(0).endsWith(program)
                    && command.contains("--spare")
                    && String.valueOf(Files.readSymbolicLink(process.resolve("cwd"))
                                    .getParent())
                            .endsWith("home");
        } catch (IOException ended) {
            return false;
        }
    }
}
