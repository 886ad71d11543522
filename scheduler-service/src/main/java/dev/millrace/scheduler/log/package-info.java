/** Logs of jobs: written in batches, read in pages, followed live. */
@NullMarked
package dev.millrace.scheduler.log;

import org.jspecify.annotations.NullMarked;
