package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.process.Sandbox;

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

    /** Whether bubblewrap works on this machine. Blocks for some 10 ms. */
    public static boolean isPossible() {
        return Sandbox.isPossible();
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
