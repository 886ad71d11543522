package dev.millrace.cli.run;

import dev.millrace.cli.output.Terminal;

/** Says, where the command is interrupted until this is closed, that the run goes on without it. */
final class InterruptNotice implements AutoCloseable {
    private final Thread notice;

    InterruptNotice(Terminal terminal, String runId) {
        notice = Thread.ofPlatform()
                .unstarted(() -> terminal.err()
                        .println("Run " + runId + " goes on. Follow it with: ./millrace runs watch " + runId
                                + ", cancel it with: ./millrace runs cancel " + runId));
        Runtime.getRuntime().addShutdownHook(notice);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(notice);
        } catch (IllegalStateException interrupted) {
            // The command ends just now, and says so.
        }
    }
}
