package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that deletes the flow or script to which a path refers. */
abstract class DeletingCommand extends ClientCommand {
    private final String kind;

    @Parameters(paramLabel = "PATH", description = "Path under which it is deployed.")
    private String path = "";

    @Option(names = "--force", description = "Delete it even if it is used; runs in progress go on.")
    private boolean force;

    /**
     * Makes a command.
     *
     * @param kind kind of the deleted resource; its plural is a part of the address
     */
    DeletingCommand(Terminal terminal, String kind) {
        super(terminal);
        this.kind = kind;
    }

    @Override
    protected final String nameOf(String field) {
        return optionOf(field);
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        ApiPath target = ApiPath.of("/" + kind + "s").child(path);
        JsonNode deleted = client.delete(force ? target.with("force", "true") : target);
        if (wantsJson()) {
            printJson(deleted);
        } else {
            print("Deleted " + kind + " " + path + ". Runs in progress go on; its last version was "
                    + deleted.path("hash").asText() + ".");
        }
        return ExitCode.OK;
    }
}
