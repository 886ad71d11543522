/** The service for triggers of events from outside, such as calls of webhooks. */
@NullMarked
package dev.millrace.scheduler.inbound;

import org.jspecify.annotations.NullMarked;
