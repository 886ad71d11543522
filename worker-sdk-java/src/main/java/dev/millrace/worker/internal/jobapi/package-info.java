/** Calls of user code while it runs: mutexes, data of the run, and keys that identify the step. */
@NullMarked
package dev.millrace.worker.internal.jobapi;

import org.jspecify.annotations.NullMarked;
