package dev.millrace.worker.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;

/** When processes have started, in the clock ticks of {@code /proc} since the system has; only on Linux. */
final class ProcessAge {
    /** The same on every architecture, whatever the kernel's own rate. */
    private static final long TICKS_PER_SECOND = 100;

    private static final Path UPTIME = Path.of("/proc/uptime");

    /** Place of the start behind the name of the program, which is in parentheses and may contain some. */
    private static final int START_COLUMN = 19;

    private ProcessAge() {}

    /** The tick of a time, or the one before; empty if there is no {@code /proc}. */
    static OptionalLong ticksAt(Instant time) {
        try {
            String uptime = Files.readString(UPTIME, StandardCharsets.ISO_8859_1);
            double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
            double begin = seconds - (System.currentTimeMillis() - time.toEpochMilli()) / 1e3;
            return OptionalLong.of((long) Math.floor(begin * TICKS_PER_SECOND) - 1);
        } catch (IOException | RuntimeException e) {
            return OptionalLong.empty();
        }
    }

    /** The tick in which a process has started, given by its folder; -1 if it is gone or a zombie. */
    static long startTicks(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] columns = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return columns[0].equals("Z") ? -1 : Long.parseLong(columns[START_COLUMN]);
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }
}
