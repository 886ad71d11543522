package dev.millrace.worker.language;

import dev.millrace.worker.JobException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A language in which scripts are written. A worker finds the languages on its class path with a
 * {@link java.util.ServiceLoader}. Implementations must be thread-safe.
 */
public interface ScriptLanguage {
    /**
     * Name that scripts are deployed with, and the tag of their jobs: a lower-case letter, then up to 31 lower-case
     * letters, digits, hyphens and underscores.
     */
    String name();

    /** Endings of files of this language, each with its dot; the first one is for scripts whose path has none of them. */
    List<String> fileEndings();

    /**
     * Version of the program that runs or compiles scripts on this machine. Empty if it is missing: then this worker takes
     * no jobs of the language. Called when the worker starts, and when it looks for the reason why processes do not.
     */
    Optional<String> version();

    /** How long a process lives. */
    ProcessUse use();

    /**
     * Command line of a process for a version. The program is searched in the {@code PATH} unless it contains a slash. A
     * process that runs once has a working folder of its own, which is deleted with it.
     */
    List<String> command(ScriptVersion script);

    /**
     * Files and folders that processes read beside the script, what was prepared and the programs of the system; by default
     * none. A sandbox has only these.
     */
    default List<Path> files() {
        return List.of();
    }

    /**
     * Files of the language's own that its processes read, such as the loop that runs jobs: content by relative path, by
     * default none. The worker writes them below a folder, which {@link ScriptVersion#runtime} names, and compares them
     * before each start.
     */
    default Map<String, byte[]> runtime() {
        return Map.of();
    }

    /**
     * Command line of a spare process, which loads what all scripts need, and then waits for a line on its standard input
     * that names the script. It takes scripts without packages and limits of their own. Empty by default: each process
     * starts with its script. Only for processes that stay, in a language with a {@link #runtime}.
     *
     * @param runtime folder with what {@link #runtime} has
     */
    default Optional<List<String>> spareCommand(Path runtime) {
        return Optional.empty();
    }

    /**
     * What a process that runs once reads from its standard input: by default the input of the job, as JSON.
     *
     * @throws JobException if the job cannot run with this input
     */
    default byte[] input(ScriptVersion script, JobStart job) throws JobException {
        return job.input().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * What prepares versions before they run, for example a compiler; by default nothing does. What it makes is kept for
     * all processes of the version, workers that share a folder included, until the version of the language or of its
     * preparer changes.
     */
    default Optional<Preparer> preparer() {
        return Optional.empty();
    }

    /**
     * Files and folders that programs of the {@link #preparer} read beside the script and the programs of the system, such as those
     * of a compiler; by default the {@link #files} of processes. A sandbox has only these.
     */
    default List<Path> preparerFiles() {
        return files();
    }

    /**
     * Version of what {@link #preparer} adds to scripts, for example of a library of its own; empty by default. What was
     * made with another one is made again.
     */
    default String preparerVersion() {
        return "";
    }

    /**
     * A script that does nothing. If processes do not start, the worker prepares this script and, for a language whose
     * processes stay, starts it: a failure is the worker's, not that of the job. By default there is none, and the worker only
     * asks for the {@link #version}.
     */
    default Optional<String> sample() {
        return Optional.empty();
    }
}
