/** The write side of runs: validates submissions and passes them to the queue. */
@NullMarked
package dev.millrace.scheduler.submission;

import org.jspecify.annotations.NullMarked;
