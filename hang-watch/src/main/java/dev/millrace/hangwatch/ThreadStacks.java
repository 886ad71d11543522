package dev.millrace.hangwatch;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints the stacks of all threads, virtual ones included. */
final class ThreadStacks {
    /** Longest print. There may be thousands of virtual threads; the file has them all. */
    private static final int CHARS_MAX = 200_000;

    private ThreadStacks() {}

    /** Prints to the error stream of the process itself, since test runners replace {@code System.err}. */
    static void print(String reason) {
        try (PrintStream out =
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8)) {
            out.println(reason);
            Path file = write();
            String stacks = Files.readString(file);
            out.println("The stacks of all threads are in " + file + ":");
            out.println(stacks.substring(0, Math.min(stacks.length(), CHARS_MAX)));
        } catch (IOException failure) {
            throw new IllegalStateException("The stacks of the threads cannot be written: " + failure, failure);
        }
    }

    private static Path write() throws IOException {
        Path target = Path.of("target").toAbsolutePath();
        Path folder = Files.isDirectory(target) ? target : Files.createTempDirectory("hang");
        Path file = folder.resolve("hang-" + ProcessHandle.current().pid() + "-" + System.currentTimeMillis() + ".txt");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
        return file;
    }
}
