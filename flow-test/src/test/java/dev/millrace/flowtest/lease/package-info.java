/**
 * Explores every order of the messages, threads and cuts that can meet around one job and its leases, up to a depth. The
 * decisions are those of production; only threads, database and connections are models. This module has them, since it
 * alone uses classes of both the scheduler and the worker.
 */
@NullMarked
package dev.millrace.flowtest.lease;

import org.jspecify.annotations.NullMarked;
