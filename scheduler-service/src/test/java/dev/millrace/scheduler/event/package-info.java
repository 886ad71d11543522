/** Tests of events on a real Postgres. */
@NullMarked
package dev.millrace.scheduler.event;

import org.jspecify.annotations.NullMarked;
