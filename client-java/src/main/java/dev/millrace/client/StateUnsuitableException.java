package dev.millrace.client;

/** The state of the run, or of what else the call names, does not allow it. */
public final class StateUnsuitableException extends ClientException {
    private static final long serialVersionUID = 1L;

    StateUnsuitableException(CallFailure failure) {
        super(failure, "Look at its present state first.");
    }
}
