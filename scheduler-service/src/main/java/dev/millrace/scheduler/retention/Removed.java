package dev.millrace.scheduler.retention;

/**
 * What one transaction of a sweep has removed.
 *
 * @param isMore whether there may be more to do
 */
record Removed(long rows, boolean isMore) {}
