/** The sessions of workers: opening, resuming, keeping alive and expiring them. */
@NullMarked
package dev.millrace.scheduler.worker;

import org.jspecify.annotations.NullMarked;
