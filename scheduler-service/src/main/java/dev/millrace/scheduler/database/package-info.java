/** Access to Postgres: pools, dedicated connections of lanes, and schema migrations. */
@NullMarked
package dev.millrace.scheduler.database;

import org.jspecify.annotations.NullMarked;
