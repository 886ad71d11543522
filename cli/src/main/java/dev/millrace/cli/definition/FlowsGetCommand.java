package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace flows get}: prints one definition. */
@Command(name = "get", description = "Print the definition of a deployed flow.")
public final class FlowsGetCommand extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = "Path of the flow.")
    private String path = "";

    @Option(
            names = "--hash",
            paramLabel = "HASH",
            description = "Show this version, which a run names as its target (default: the current one).")
    private @Nullable String hash;

    public FlowsGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode flow = client.get(ApiPath.of("/flows").child(path).withIfGiven("hash", hash));
        if (wantsJson()) {
            printJson(flow);
        } else {
            print(flow.path("definition").asText().stripTrailing());
        }
        return ExitCode.OK;
    }
}
