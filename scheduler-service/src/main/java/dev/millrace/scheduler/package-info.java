/** The scheduler service: the queue and the state of every flow, on Postgres, behind gRPC. */
@NullMarked
package dev.millrace.scheduler;

import org.jspecify.annotations.NullMarked;
