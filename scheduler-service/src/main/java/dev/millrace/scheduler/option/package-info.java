/** Options of runs that their root jobs' rows do not contain. Their own rows stay when the root jobs have ended. */
@NullMarked
package dev.millrace.scheduler.option;

import org.jspecify.annotations.NullMarked;
