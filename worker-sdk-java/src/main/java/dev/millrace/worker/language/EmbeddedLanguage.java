package dev.millrace.worker.language;

import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import java.util.List;

/**
 * A language whose scripts a worker runs itself, on its own threads: one that tells others what to do, as SQL does, and
 * whose scripts cannot harm the worker. Languages for programs are {@link ScriptLanguage}s. A worker finds the languages on
 * its class path with a {@link java.util.ServiceLoader}. Implementations must be thread-safe.
 */
public interface EmbeddedLanguage {
    /**
     * Name that scripts are deployed with, and the tag of their jobs: a lower-case letter, then up to 31 lower-case
     * letters, digits, hyphens and underscores.
     */
    String name();

    /** Endings of files of this language, each with its dot. */
    List<String> fileEndings();

    /**
     * Runs one job. Several threads call this at the same time.
     *
     * @param source text of the script
     * @param job the job, whose input holds the values of secrets
     * @param resultBytesMax largest result in bytes
     * @return the result as JSON
     * @throws JobException if the attempt fails; it tells whether another attempt may succeed
     * @throws InterruptedException if the job was stopped: its result is ignored
     */
    byte[] run(String source, JobContext job, int resultBytesMax) throws InterruptedException;
}
