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
 * @param absent why a module of Python has no package here, by the first part of its name
 * @param end lets them go
 */
public record PreparedPackages(
        List<Path> folders, Map<String, String> versions, Map<String, String> absent, Runnable end)
        implements AutoCloseable {
    /** The name that stands for all modules without a reason of their own. */
    public static final String OTHERS = "*";

    public static final PreparedPackages NONE = new PreparedPackages(List.of(), Map.of(), () -> {});

    public PreparedPackages {
        folders = List.copyOf(folders);
        versions = Map.copyOf(versions);
        absent = Map.copyOf(absent);
        requireNonNull(end, "end");
    }

    /** Packages of a script all of whose modules can be had. */
    public PreparedPackages(List<Path> folders, Map<String, String> versions, Runnable end) {
        this(folders, versions, Map.of(), end);
    }

    /** The same packages, with what the error of an import says. */
    public PreparedPackages without(Map<String, String> reasons) {
        return new PreparedPackages(folders, versions, reasons, end);
    }

    @Override
    public void close() {
        end.run();
    }
}
