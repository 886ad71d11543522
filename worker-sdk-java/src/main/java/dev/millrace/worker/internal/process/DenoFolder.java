package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.DenoSet;
import dev.millrace.worker.internal.runtime.JobScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Folders in which Deno keeps what it makes of scripts: one for each scope, with what its scripts have stored, and
 * in it one for each set of packages. Several workers may share them.
 */
final class DenoFolder {
    /** Where Deno keeps {@code localStorage} and {@code caches}. */
    private static final String STORED = "location_data";

    private DenoFolder() {}

    /** @param common parent of all these folders */
    static Path of(Path common, JobScope scope) {
        return scope.below(common).toAbsolutePath();
    }

    /** @param common parent of all these folders */
    static Path of(Path common, JobScope scope, Script script) throws IOException {
        Path folder = of(common, scope);
        List<Path> sets = script.packages().folders();
        return sets.isEmpty() ? folder : withPackages(folder, sets.get(0));
    }

    /** Deno finds packages only in its own folder, so that this links to them. What scripts store stays where it is. */
    private static Path withPackages(Path scope, Path set) throws IOException {
        Path folder = Files.createDirectories(scope.resolve(DenoSet.LINKS).resolve(String.valueOf(set.getFileName())));
        List<Path> targets = new ArrayList<>(DenoSet.cached(set));
        targets.add(Files.createDirectories(scope.resolve(STORED)));
        for (Path target : targets) {
            link(folder.resolve(String.valueOf(target.getFileName())), target);
        }
        return folder;
    }

    private static void link(Path link, Path target) throws IOException {
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(target)) {
            return;
        }
        if (Files.isDirectory(link, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(link + " is a folder (expected: a link to " + target + "). Delete it.");
        }
        Path fresh = Files.createSymbolicLink(link.resolveSibling("new-" + UUID.randomUUID()), target);
        Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
