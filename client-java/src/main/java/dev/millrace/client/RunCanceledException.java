package dev.millrace.client;

/** A run whose result was asked for was canceled. */
public final class RunCanceledException extends RunFailedException {
    private static final long serialVersionUID = 1L;

    RunCanceledException(Run run) {
        super(run);
    }
}
