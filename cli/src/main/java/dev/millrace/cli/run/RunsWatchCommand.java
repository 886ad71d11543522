package dev.millrace.cli.run;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs watch}: follows a run to its end. */
@Command(name = "watch", description = "Follow a run to its end: steps, logs, result. The exit code says how it ended.")
public final class RunsWatchCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Option(
            names = "--all-steps",
            description =
                    "Also follow the steps inside loops of more than 20 iterations, which are one line otherwise.")
    private boolean wantsAllSteps;

    public RunsWatchCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        RunOutput output = new RunOutput(terminal(), wantsJson());
        Run run = output.watch(client, RunIds.find(client, runId), !wantsAllSteps);
        return output.report(client, run, true);
    }
}
