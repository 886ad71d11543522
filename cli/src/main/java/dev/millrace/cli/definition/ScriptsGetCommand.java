package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace scripts get}: prints the source of one script. */
@Command(name = "get", description = "Print the source of a deployed script.")
public final class ScriptsGetCommand extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = "Path of the script.")
    private String path = "";

    public ScriptsGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode script = client.get(ApiPath.of("/scripts").child(path));
        if (wantsJson()) {
            printJson(script);
        } else {
            print(script.path("content").asText().stripTrailing());
        }
        return ExitCode.OK;
    }
}
