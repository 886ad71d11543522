package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.RunError;
import dev.millrace.cli.client.RunFollower;
import dev.millrace.cli.client.State;
import dev.millrace.cli.output.JsonEvents;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.RunView;
import dev.millrace.cli.output.Terminal;

/** Prints a run's progress and its end. */
record RunOutput(Terminal terminal, boolean wantsJson) {
    /** Shows the run until it has ended, without the steps inside large loops. */
    Run watch(MillraceClient client, String runId) {
        return watch(client, runId, true);
    }

    /** Shows the run until it has ended. */
    Run watch(MillraceClient client, String runId, boolean foldsLoops) {
        RunFollower follower = new RunFollower(client, runId, true, foldsLoops);
        try (var _ = new InterruptNotice(terminal, runId)) {
            if (wantsJson) {
                return follower.follow(new JsonEvents(terminal));
            }
            try (RunView view = RunView.of(terminal)) {
                view.tree().nameBranches(new StepKeys(client, runId)::branches);
                return follower.follow(view);
            }
        }
    }

    /**
     * Writes the result to standard output, or the error to standard error. After a JSON watch, writes nothing, because
     * the watch has printed all of it.
     */
    ExitCode report(MillraceClient client, Run run, boolean isWatched) {
        if (wantsJson) {
            if (!isWatched) {
                terminal.out().println(Json.pretty(run.json()));
            }
        } else if (run.state() == State.SUCCEEDED) {
            terminal.out().println(text(run.output()));
        } else {
            reportFailure(client, run);
        }
        return run.state() == State.SUCCEEDED ? ExitCode.OK : ExitCode.RUN_FAILED;
    }

    private void reportFailure(MillraceClient client, Run run) {
        String how = run.state() == State.CANCELED ? "was canceled" : "failed";
        String reason = run.error()
                .map(error -> ": " + error.name() + ": " + new StepKeys(client, run.id()).shownIn(error.message()))
                .orElse(".");
        terminal.err().println(terminal.paint().red("Run " + run.id() + " " + how + reason));
        run.error().flatMap(RunError::stackBeyondMessage).ifPresent(terminal.err()::println);
        String id = RunIds.brief(run.id());
        terminal.err().println("Steps: " + Launcher.NAME + " runs get " + id);
        terminal.err().println("Logs:  " + Launcher.NAME + " runs logs " + id);
    }

    private String text(JsonNode output) {
        return output.isTextual() ? output.asText() : Json.pretty(output, terminal.paint());
    }
}
