/** Schedules. */
@NullMarked
package dev.millrace.gateway.schedule;

import org.jspecify.annotations.NullMarked;
