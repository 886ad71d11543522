package dev.millrace.flowtest;

/** Stops a simulation that cannot go on. The message says in full sentences why, and what to do. */
public final class SimulationStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SimulationStopped(String message) {
        super(message, null, false, false);
    }

    /** The message, which is never null. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
