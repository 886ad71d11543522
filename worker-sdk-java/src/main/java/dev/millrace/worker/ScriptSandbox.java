package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

/**
 * Whether processes of scripts run in a sandbox of bubblewrap.
 *
 * @param network whether they reach the network from inside it
 */
public record ScriptSandbox(Choice choice, boolean network) {
    /** No sandbox. */
    public static final ScriptSandbox NONE = new ScriptSandbox(Choice.NONE, true);

    public ScriptSandbox {
        requireNonNull(choice, "choice");
    }

    /** When there is a sandbox. */
    public enum Choice {
        /** Never. */
        NONE,
        /** Where bubblewrap works; else the worker logs that there is none. */
        AUTO,
        /** Always; where bubblewrap does not work, the worker does not start. */
        BWRAP
    }
}
