/**
 * Rows and notifications of PostgreSQL that start runs. One scheduler at a time listens for a trigger ({@link
 * dev.millrace.scheduler.postgres.PostgresListener}); the position in Millrace's database decides which rows are new.
 */
@NullMarked
package dev.millrace.scheduler.postgres;

import org.jspecify.annotations.NullMarked;
