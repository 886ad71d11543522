package dev.millrace.scheduler.access;

import io.grpc.Metadata;
import io.grpc.ServerCall;

/** Is told of calls that are refused before their request is read, because nobody knows who calls. */
@FunctionalInterface
public interface Refusals {
    /** A call is refused. Must return at once. */
    void refused(ServerCall<?, ?> call, Metadata headers, RuntimeException reason);
}
