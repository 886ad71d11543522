package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs retry}: retries what failed. */
@Command(
        name = "retry",
        description = "Retry failed or canceled runs: failed steps run again, results of succeeded ones stay.")
public final class RunsRetryCommand extends RunOperationCommand {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Ids of the runs, each " + RunIds.FORMS + "; omit them with --flow, --all and the like.")
    private List<String> ids = new ArrayList<>();

    public RunsRetryCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String operation() {
        return "retry";
    }

    @Override
    List<String> runIds() {
        return ids;
    }

    @Override
    void report(String runId, JsonNode run) {
        print("Run " + runId + " continues from the steps that failed.");
    }
}
