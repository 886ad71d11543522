package dev.millrace.cli.run;

import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;

/** Notice that the run continues, printed if the command is interrupted before this is closed. */
final class InterruptNotice implements AutoCloseable {
    private final Thread notice;

    InterruptNotice(Terminal terminal, String runId) {
        notice = Thread.ofPlatform()
                .unstarted(() -> terminal.err()
                        .println("Run " + runId + " continues.\nFollow it: " + Launcher.NAME + " runs watch "
                                + RunIds.brief(runId) + "\nCancel it: " + Launcher.NAME + " runs cancel "
                                + RunIds.brief(runId)));
        Runtime.getRuntime().addShutdownHook(notice);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(notice);
        } catch (IllegalStateException interrupted) {
            // The JVM is ending already, and prints the notice.
        }
    }
}
