package dev.millrace.worker.language;

import dev.millrace.worker.JobException;
import java.io.IOException;

/** Prepares versions of scripts. Implementations must be thread-safe. */
@FunctionalInterface
public interface Preparer {
    /**
     * Prepares a version, on a thread that may wait. What it makes appears complete or not at all, so it may be called
     * again where a worker was killed in the middle.
     *
     * @throws JobException if the version cannot be prepared, for example because it does not compile
     * @throws IOException if the worker cannot prepare it now
     */
    void prepare(Preparation preparation) throws JobException, IOException;
}
