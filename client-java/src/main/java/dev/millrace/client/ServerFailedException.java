package dev.millrace.client;

import java.util.Set;

/** The scheduler failed, or does not know the call. */
public final class ServerFailedException extends ClientException {
    private static final long serialVersionUID = 1L;

    private static final Set<String> OF_THE_CONNECTION = Set.of("INTERNAL", "UNKNOWN", "CANCELLED");

    ServerFailedException(CallFailure failure) {
        super(failure, "Read the log of the scheduler, and compare its version with that of this client.");
    }

    @Override
    boolean mayPass() {
        return reason().isEmpty() && OF_THE_CONNECTION.contains(status());
    }
}
