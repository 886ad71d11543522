/** Secrets of jobs on the worker: put into inputs, and masked in everything that leaves the worker. */
@NullMarked
package dev.millrace.worker.internal.secret;

import org.jspecify.annotations.NullMarked;
