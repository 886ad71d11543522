package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/**
 * A run that has yet to be started.
 *
 * @param version of the row
 * @param flowHash of the version to run; absent where the current one of {@code path} is to be taken
 * @param options that are kept with it
 */
record RunToStart(
        RunId run,
        long version,
        Workspace workspace,
        String path,
        Optional<String> flowHash,
        Json input,
        KeptOptions options) {}
