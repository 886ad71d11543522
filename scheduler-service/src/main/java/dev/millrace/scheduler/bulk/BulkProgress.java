package dev.millrace.scheduler.bulk;

/**
 * How far an operation has come; what is none of these waits for it.
 *
 * @param total how many runs it is for
 * @param done runs for which it is done
 * @param failed runs that refused it
 * @param leftOut runs that were left out because it was canceled
 */
record BulkProgress(int total, int done, int failed, int leftOut) {}
