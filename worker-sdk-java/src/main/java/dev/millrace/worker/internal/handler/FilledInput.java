package dev.millrace.worker.internal.handler;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import java.util.Set;

/**
 * Input of a job with the values of its secrets and resources.
 *
 * @param boundPointers places of these values, as JSON pointers
 */
record FilledInput(ByteString json, Set<String> boundPointers) {
    FilledInput {
        requireNonNull(json, "json");
        boundPointers = Set.copyOf(boundPointers);
    }
}
