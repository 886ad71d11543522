package dev.millrace.scheduler.deadline;

/** A run with a start deadline was accepted. */
record StartDeadlineSet() {}
