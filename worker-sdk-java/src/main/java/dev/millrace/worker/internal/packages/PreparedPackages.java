package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Packages of one script that are installed on this machine, and stay until this is closed.
 *
 * @param folders to import from, in the order of the lock; for Deno, the one set of the script
 * @param versions by the names of the packages
 * @param end lets them go
 */
public record PreparedPackages(List<Path> folders, Map<String, String> versions, Runnable end)
        implements AutoCloseable {
    public static final PreparedPackages NONE = new PreparedPackages(List.of(), Map.of(), () -> {});

    public PreparedPackages {
        folders = List.copyOf(folders);
        versions = Map.copyOf(versions);
        requireNonNull(end, "end");
    }

    @Override
    public void close() {
        end.run();
    }
}
