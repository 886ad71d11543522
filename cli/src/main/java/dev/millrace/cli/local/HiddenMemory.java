package dev.millrace.cli.local;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hides this process's environment and memory from the programs that it runs. On Linux, a process may read those of
 * another process of the same user, by {@code /proc/PID/environ} and {@code /proc/PID/mem}, unless the other one is not
 * dumpable. Programs that this process starts are dumpable again.
 */
final class HiddenMemory {
    private static final int PR_SET_DUMPABLE = 4;
    private static final Logger log = LoggerFactory.getLogger(HiddenMemory.class);

    private HiddenMemory() {}

    /** Hides environment and memory until the process ends. Does nothing on systems other than Linux. */
    static void hide() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return;
        }
        try {
            if (setDumpable(0) != 0) {
                log.warn(
                        "The system refuses to hide this worker's environment: scripts that run as the same user can read it");
            }
        } catch (Throwable unsupported) {
            log.atWarn()
                    .setCause(unsupported)
                    .log("This worker's environment cannot be hidden: scripts that run as the same user can read it");
        }
    }

    // Signature of prctl(2).
    @SuppressWarnings("restricted")
    private static int setDumpable(long value) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle prctl = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("prctl"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        return (int) prctl.invokeExact(PR_SET_DUMPABLE, value, 0L, 0L, 0L);
    }
}
