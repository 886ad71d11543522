package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;

/**
 * What was asked for with a run beside what its root job keeps, one of the two at least.
 *
 * @param env laid over the environment of its flow
 * @param limit of a run of one job
 */
public record RunOption(RunId run, Optional<Json> env, Optional<JobLimit> limit) {}
