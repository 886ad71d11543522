package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs resume}: resumes paused runs. */
@Command(name = "resume", description = "Resume paused runs.")
public final class RunsResumeCommand extends RunOperationCommand {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Ids of the runs, each " + RunIds.FORMS + "; omit them with --flow, --all and the like.")
    private List<String> ids = new ArrayList<>();

    public RunsResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String operation() {
        return "resume";
    }

    @Override
    List<String> runIds() {
        return ids;
    }

    @Override
    void report(String runId, JsonNode run) {
        print("Run " + runId + " goes on.");
    }
}
