package dev.millrace.cli.output;

import dev.millrace.cli.client.RunListener;

/** View of a run while it goes on. {@link #close()} restores the terminal and shows what is left. */
public interface RunView extends RunListener, AutoCloseable {
    /** Returns a view for this terminal: a tree that is redrawn, or lines that are only appended. */
    static RunView of(Terminal terminal) {
        return terminal.isInteractive() ? LiveTree.start(terminal) : new EventLines(terminal);
    }

    /** The steps received so far. */
    StepTree tree();

    @Override
    void close();
}
