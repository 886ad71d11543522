package dev.millrace.scheduler.bulk;

/**
 * Counts of a bulk operation's runs. The runs in none of the last three counts still wait.
 *
 * @param total all runs of the operation
 * @param done runs to which the operation was applied
 * @param failed runs that rejected the operation
 * @param leftOut runs that were skipped because the operation was canceled
 */
record BulkProgress(int total, int done, int failed, int leftOut) {}
