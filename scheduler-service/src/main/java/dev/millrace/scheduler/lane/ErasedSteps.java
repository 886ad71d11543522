package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/** Steps of a run that ends, by a regular expression for their keys, of which nothing is to be kept. */
record ErasedSteps(RunId run, String stepKeys) {}
