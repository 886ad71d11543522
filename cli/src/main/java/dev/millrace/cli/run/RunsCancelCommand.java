package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs cancel}: cancels runs. */
@Command(name = "cancel", description = "Cancel runs: waiting jobs are dropped, running ones are stopped.")
public final class RunsCancelCommand extends RunOperationCommand {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Ids of the runs, each " + RunIds.FORMS + "; omit them with --flow, --all and the like.")
    private List<String> ids = new ArrayList<>();

    public RunsCancelCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String operation() {
        return "cancel";
    }

    @Override
    List<String> runIds() {
        return ids;
    }

    @Override
    void report(String runId, JsonNode run) {
        print("Run " + runId + " is " + Run.of(run).state().word() + ".");
    }
}
