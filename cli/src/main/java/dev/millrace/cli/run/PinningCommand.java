package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that says whether runs stay. */
abstract class PinningCommand extends ClientCommand {
    private final String verb;
    private final String report;

    @Parameters(paramLabel = "ID", arity = "1..*", description = "Ids of the runs, each " + RunIds.FORMS + ".")
    private List<String> ids = new ArrayList<>();

    @Mixin
    private OperationNote note = new OperationNote();

    /**
     * Makes a command.
     *
     * @param verb what follows the run's address
     * @param report what is told of each run, with a place for its id
     */
    PinningCommand(Terminal terminal, String verb, String report) {
        super(terminal);
        this.verb = verb;
        this.report = report;
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        for (String id : RunIds.find(client, ids)) {
            JsonNode run = client.post(ApiPath.of("/runs").child(id).then(verb), note.body());
            if (wantsJson()) {
                printJson(run);
            } else {
                print(report.formatted(id));
            }
        }
        return ExitCode.OK;
    }
}
