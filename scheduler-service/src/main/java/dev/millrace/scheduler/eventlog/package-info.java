/** The table of events, for features that record theirs in transactions of their own, and what is announced about it. */
@NullMarked
package dev.millrace.scheduler.eventlog;

import org.jspecify.annotations.NullMarked;
