/** What is asked for with runs beside what their root jobs keep: rows that stay when the root jobs have ended. */
@NullMarked
package dev.millrace.scheduler.option;

import org.jspecify.annotations.NullMarked;
