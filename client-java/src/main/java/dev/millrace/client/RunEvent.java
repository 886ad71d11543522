package dev.millrace.client;

/** What happens in a run: a new state of the run or of a step, or a piece of its log. */
public sealed interface RunEvent permits Run, Step, LogChunk {}
