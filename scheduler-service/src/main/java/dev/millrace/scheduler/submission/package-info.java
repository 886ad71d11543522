/** The write side of runs: checks submissions and hands them to the queue. */
@NullMarked
package dev.millrace.scheduler.submission;

import org.jspecify.annotations.NullMarked;
