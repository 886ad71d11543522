package dev.millrace.scheduler.pin;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;

/** A pinned run: who pinned it, why and when. */
record PinnedRun(RunId run, String actor, String reason, Instant time) {}
