/** Client of the scheduler's gRPC services. */
@NullMarked
package dev.millrace.gateway.rpc;

import org.jspecify.annotations.NullMarked;
