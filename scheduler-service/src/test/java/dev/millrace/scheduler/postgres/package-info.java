/** Tests of triggers of PostgreSQL. */
@NullMarked
package dev.millrace.scheduler.postgres;

import org.jspecify.annotations.NullMarked;
