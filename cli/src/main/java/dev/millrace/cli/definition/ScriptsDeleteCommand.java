package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace scripts delete}: lets a path lead nowhere. */
@Command(
        name = "delete",
        description = "Delete a script: new runs of it are refused. Refused itself while the script is used.")
public final class ScriptsDeleteCommand extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = "Path of the script.")
    private String path = "";

    @Option(names = "--force", description = "Delete it even if it is used; runs in progress go on.")
    private boolean force;

    public ScriptsDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ApiPath target = ApiPath.of("/scripts").child(path);
        JsonNode script = client.delete(force ? target.with("force", "true") : target);
        if (wantsJson()) {
            printJson(script);
        } else {
            print("Deleted script " + path + ". Runs in progress go on; its last version was "
                    + script.path("hash").asText() + ".");
        }
        return ExitCode.OK;
    }
}
