package dev.millrace.cli.run;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.BranchKeys;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a run's steps as people read and type them. Asks the server for the names of branches once, and only if a key may have
 * one. Not thread-safe.
 */
final class StepKeys {
    private final MillraceClient client;
    private final String runId;
    private @Nullable BranchKeys branches;

    StepKeys(MillraceClient client, String runId) {
        this.client = client;
        this.runId = runId;
    }

    /** The key with the names of branches beside their numbers. */
    String shown(String key) {
        return BranchKeys.mayShow(key) ? branches().shown(key) : key;
    }

    /** A message of the server with the names of branches in the key with which it begins. */
    String shownIn(String message) {
        return BranchKeys.mayShow(message) && message.startsWith("Step \"")
                ? branches().shownIn(message)
                : message;
    }

    /** The key as the server knows it. */
    String numbered(String typed) {
        return BranchKeys.isNamed(typed) ? branches().numbered(typed) : typed;
    }

    BranchKeys branches() {
        BranchKeys known = branches;
        if (known == null) {
            known = ask();
            branches = known;
        }
        return known;
    }

    /** Without names, the numbers tell enough: what cannot be read is said by whatever the command does next. */
    private BranchKeys ask() {
        try {
            return BranchNames.of(client, Run.of(client.get(ApiPath.of("/runs").child(runId))));
        } catch (CommandFailure unreadable) {
            return BranchKeys.NONE;
        }
    }
}
