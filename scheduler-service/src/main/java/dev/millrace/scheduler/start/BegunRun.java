package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/**
 * A pending run that begins.
 *
 * @param version version of the row that {@code input} was read from
 * @param flowHash version of the flow; absent if the run fails before its flow is asked, and keeps what it has
 * @param input input with the defaults of the flow; absent as the version
 * @param timeout time limit of the run; absent for none
 */
record BegunRun(RunId run, long version, Optional<String> flowHash, Optional<Json> input, Optional<Duration> timeout)
        implements RunRowsStatement.RunRow {}
