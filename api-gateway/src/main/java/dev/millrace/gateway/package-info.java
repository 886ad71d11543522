/** The public interface of Millrace: REST and server-sent events over HTTP, answered by the scheduler over gRPC. */
@NullMarked
package dev.millrace.gateway;

import org.jspecify.annotations.NullMarked;
