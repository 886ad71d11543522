package dev.millrace.worker.internal.session;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** Says why a call ended, with the cause that gRPC keeps beside its own words: of failed handshakes it says nothing. */
final class StatusText {
    /** Causes may name each other. */
    private static final int CAUSES_MAX = 10;

    private StatusText() {}

    static String of(Status status) {
        String description = status.getDescription() == null ? "" : status.getDescription();
        Throwable cause = root(status.getCause());
        if (cause == null || cause.getMessage() == null || description.contains(cause.getMessage())) {
            return description;
        }
        return description.isEmpty() ? cause.getMessage() : description + ": " + cause.getMessage();
    }

    private static @Nullable Throwable root(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < CAUSES_MAX && cause != null && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        return cause;
    }
}
