/** Housekeeping that any one scheduler does for all. */
@NullMarked
package dev.millrace.scheduler.maintenance;

import org.jspecify.annotations.NullMarked;
