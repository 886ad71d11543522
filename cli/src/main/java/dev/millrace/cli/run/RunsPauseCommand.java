package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs pause}: pauses runs. */
@Command(name = "pause", description = "Pause runs: what runs finishes, nothing more begins.")
public final class RunsPauseCommand extends RunOperationCommand {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Ids of the runs, each " + RunIds.FORMS + "; none with --flow, --all and the like.")
    private List<String> ids = new ArrayList<>();

    public RunsPauseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String operation() {
        return "pause";
    }

    @Override
    String verb() {
        return ":pause";
    }

    @Override
    List<String> runIds() {
        return ids;
    }

    @Override
    void report(String runId, JsonNode run) {
        print("Run " + runId + " is paused: what runs finishes, nothing more begins.");
    }
}
