package dev.millrace.worker.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes of one worker: those whose environment names its folder. */
public final class ProcessTable {
    private final String mark;

    public ProcessTable(Path workerFolder) {
        this.mark = workerFolder.toAbsolutePath().toString();
    }

    public List<Long> processes() {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : all) {
                if (environment(process).contains(mark)) {
                    found.add(Long.parseLong(String.valueOf(process.getFileName())));
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return found;
    }

    /**
     * Waits until all processes have ended. A killed one takes a moment to disappear, and one that is just being started by
     * it appears first.
     */
    public void awaitNone() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FakeScheduler.WAIT_SECONDS);
        List<Long> left = processes();
        while (!left.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Processes have been left behind: " + left);
            }
            for (long pid : left) {
                ProcessHandle.of(pid)
                        .ifPresent(handle -> handle.onExit()
                                .orTimeout(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS)
                                .join());
            }
            left = processes();
        }
    }

    private static String environment(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
