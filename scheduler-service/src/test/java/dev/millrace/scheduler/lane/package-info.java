/** Tests of the lanes on a real Postgres. */
@NullMarked
package dev.millrace.scheduler.lane;

import org.jspecify.annotations.NullMarked;
