package dev.millrace.scheduler.database;

/**
 * Which history of a Postgres cluster a primary writes. A promotion begins a new timeline, so a primary with a lower one
 * has been replaced.
 *
 * @param system identifier that {@code initdb} gave the cluster; its standbys have the same
 * @param timeline number of the history, counted from 1
 */
record ServerLineage(long system, long timeline) {}
