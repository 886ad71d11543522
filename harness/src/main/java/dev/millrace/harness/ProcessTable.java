package dev.millrace.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes of this machine, read from {@code /proc}; includes those that have left their parent and group. */
public final class ProcessTable {
    private static final Path PROC = Path.of("/proc");

    private ProcessTable() {}

    /** Ids of the live processes, without zombies, whose environment holds this variable with this value. */
    public static List<Long> withVariable(String name, String value) {
        String wanted = name + "=" + value;
        return processes()
                .filter(pid -> !isZombie(pid) && environment(pid).contains(wanted))
                .toList();
    }

    /** Ids of the live user processes below this one: all that carry the host's mark, at any depth of the tree. */
    public static List<Long> userProcessesOf(ServiceProcess worker) {
        return ProcessHandle.of(worker.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid)
                .filter(pid -> !isZombie(pid)
                        && environment(pid).stream().anyMatch(entry -> entry.startsWith("MILLRACE_PROCESS_ID=")))
                .toList();
    }

    /** Ids of the live processes whose command line contains this text. */
    public static List<Long> withArgument(String text) {
        long self = ProcessHandle.current().pid();
        return processes()
                .filter(pid ->
                        pid != self && !isZombie(pid) && read(pid, "cmdline").contains(text))
                .toList();
    }

    private static Stream<Long> processes() {
        try (Stream<Path> entries = Files.list(PROC)) {
            return entries
                    .map(entry -> entry.getFileName().toString())
                    .filter(name -> name.chars().allMatch(Character::isDigit))
                    .map(Long::valueOf)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException("This test needs Linux's /proc.", e);
        }
    }

    private static boolean isZombie(long pid) {
        String stat = read(pid, "stat");
        return stat.isEmpty() || stat.startsWith(" Z", stat.lastIndexOf(')') + 1);
    }

    private static List<String> environment(long pid) {
        return List.of(read(pid, "environ").split("\0"));
    }

    /** Empty if the process has ended meanwhile. */
    private static String read(long pid, String file) {
        try {
            return Files.readString(PROC.resolve(Long.toString(pid)).resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
