package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/**
 * A pending run.
 *
 * @param version version of the row
 * @param flowHash version of the flow; absent to use the current version of {@code path}
 * @param options options that are kept with the run
 */
record RunToStart(
        RunId run,
        long version,
        Workspace workspace,
        String path,
        Optional<String> flowHash,
        Json input,
        KeptOptions options) {}
