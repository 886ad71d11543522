package dev.millrace.client;

/** A run whose result was asked for has failed. */
public sealed class RunFailedException extends MillraceException permits RunCanceledException {
    private static final long serialVersionUID = 1L;

    private final transient Run run;

    RunFailedException(Run run) {
        super(
                "The run " + run.id() + " of " + run.name() + " " + run.state().word() + ". "
                        + run.error()
                                .map(error -> error.name() + ": " + error.message())
                                .orElse("The scheduler names no error."),
                null);
        this.run = run;
    }

    /** The run, with its error. */
    public Run run() {
        return run;
    }
}
