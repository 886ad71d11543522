package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;

/**
 * A live step or run whose result is to be cached.
 *
 * @param stepKey empty for the run itself
 * @param key of the result
 */
record CacheCall(RunId run, String stepKey, Workspace workspace, ResultKey key, Duration ttl) {}
