/** The scheduler service: the queue and the state of all flows, in Postgres, behind gRPC. */
@NullMarked
package dev.millrace.scheduler;

import org.jspecify.annotations.NullMarked;
