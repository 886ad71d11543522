package dev.millrace.cli.run;

import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.RunFollower;

/** Waits for the end of a run without showing anything. */
final class RunWaiter {
    private RunWaiter() {}

    static Run await(MillraceClient client, Run run) {
        return run.state().isFinal()
                ? run
                : new RunFollower(client, run.id(), false).follow((name, data) -> {
                    // Only the end matters.
                });
    }
}
