/** What triggers of PostgreSQL decide without a database: which rows are there for good, and which share a run. */
@NullMarked
package dev.millrace.scheduler.postgres.core;

import org.jspecify.annotations.NullMarked;
