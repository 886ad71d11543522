/** Examines what a scheduler depends on, without a scheduler: its database, and what is stuck there. */
@NullMarked
package dev.millrace.scheduler.doctor;

import org.jspecify.annotations.NullMarked;
