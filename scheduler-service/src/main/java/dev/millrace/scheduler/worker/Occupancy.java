package dev.millrace.scheduler.worker;

/** How many per cent of the time of a worker's slots had jobs: over the last 15 seconds, 5 minutes and 30 minutes. */
record Occupancy(int last15s, int last5min, int last30min) {}
