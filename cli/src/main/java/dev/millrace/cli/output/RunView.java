package dev.millrace.cli.output;

import dev.millrace.cli.client.RunListener;

/** Shows a run as it goes. {@link #close()} puts the terminal back in order and shows what is left. */
public interface RunView extends RunListener, AutoCloseable {
    /** A view for this terminal: a tree that is drawn anew, or lines that are only appended. */
    static RunView of(Terminal terminal) {
        return terminal.isInteractive() ? LiveTree.start(terminal) : new EventLines(terminal);
    }

    /** What has been heard of the steps so far. */
    StepTree tree();

    @Override
    void close();
}
