package dev.millrace.scheduler.log;

/** Positions of the first and the last chunk of a log; both are 0 if it has none. */
record LogBounds(long first, long last) {}
