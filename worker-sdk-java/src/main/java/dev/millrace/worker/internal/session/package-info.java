/** The session with the scheduler: leases come in, started jobs, logs and results go out, and nothing is lost between two connections. */
@NullMarked
package dev.millrace.worker.internal.session;

import org.jspecify.annotations.NullMarked;
