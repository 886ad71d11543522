package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.rpc.PageRequest;

/**
 * Some iterations of a loop.
 *
 * @param counts all iterations of the loop by their states
 */
public record IterationPage(PageRequest.Page<Iteration> page, IterationCounts counts) {}
