package dev.millrace.flowtest.lease;

/**
 * What may happen to the job, and how often. It bounds the number of orders.
 *
 * @param claims how often the job is leased
 * @param cuts how often the stream of the worker is cut
 * @param cancels how often somebody cancels the run
 * @param resyncs how often a resync is asked for, besides those of new streams
 * @param returns how often the worker returns the job before it begins
 * @param isOfFirstLane whether the first lane, which also compares, settles the job; else the second one does
 */
record Scope(int claims, int cuts, int cancels, int resyncs, int returns, boolean isOfFirstLane) {}
