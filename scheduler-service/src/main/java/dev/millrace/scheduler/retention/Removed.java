package dev.millrace.scheduler.retention;

/**
 * Result of one transaction of a sweep.
 *
 * @param isMore whether another transaction may find more to do
 */
record Removed(long rows, boolean isMore) {}
