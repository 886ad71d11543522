/** Decisions about the leases of a session, without threads and connections. */
@NullMarked
package dev.millrace.worker.internal.session.core;

import org.jspecify.annotations.NullMarked;
