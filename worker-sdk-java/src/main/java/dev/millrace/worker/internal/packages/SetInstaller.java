package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A program that chooses packages and installs them into a set: a folder with what one lock names. Blocking and
 * thread-safe.
 */
interface SetInstaller {
    /** Name of the interpreter on which locks depend, such as {@code deno2}. */
    String interpreter() throws IOException;

    /** Name of the file in a set that has its lock. */
    String lockFile();

    /** Whether the text of a script seems to import packages; it costs no more than reading its files. */
    boolean mayNeedPackages(JavaScriptSources sources) throws IOException;

    /**
     * Fills a set, with the versions of its lock if it has one, else with versions that fit what the script imports.
     *
     * @return the lock; empty if the script imports nothing from elsewhere
     * @throws PackageException if a package does not exist or cannot be installed
     * @throws IOException if the set cannot be written, or if the program cannot be started
     */
    Optional<SetLock> install(JavaScriptSources sources, Path set) throws IOException, PackageException;

    /**
     * Versions of a lock by names such as {@code npm:ms}.
     *
     * @throws PackageException if the text is no lock
     */
    Map<String, String> versions(SetLock lock) throws PackageException;
}
