/**
 * Session with the scheduler: leases arrive, and started messages, logs and results leave. Nothing is lost between two
 * connections.
 */
@NullMarked
package dev.millrace.worker.internal.session;

import org.jspecify.annotations.NullMarked;
