package dev.millrace.scheduler.lane;

/** A run that begins under a limit on how many go on at a time. */
record Turn(String limitKey, int runsMax) {}
