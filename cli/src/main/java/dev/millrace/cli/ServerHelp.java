package dev.millrace.cli;

/** A command about which the server knows more than its usage says. */
public interface ServerHelp {
    /** Whether the arguments name what the server knows more about. */
    boolean hasServerHelp();

    /** Prints it below the usage, and returns the exit code. */
    int showServerHelp();
}
