package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/** Steps of an ending run whose payloads and logs are to be erased, as a regular expression for their keys. */
record ErasedSteps(RunId run, String stepKeys) {}
