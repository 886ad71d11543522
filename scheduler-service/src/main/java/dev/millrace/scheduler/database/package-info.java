/** The connection to Postgres: pools, lane connections and the schema's migrations. */
@NullMarked
package dev.millrace.scheduler.database;

import org.jspecify.annotations.NullMarked;
