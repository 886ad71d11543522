/** Endpoints for the queues of tags and the lines of limits. */
@NullMarked
package dev.millrace.gateway.queue;

import org.jspecify.annotations.NullMarked;
