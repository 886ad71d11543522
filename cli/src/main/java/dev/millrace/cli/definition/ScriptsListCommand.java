package dev.millrace.cli.definition;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;

/** {@code millrace scripts list}: lists the current versions. */
@Command(name = "list", description = "List deployed scripts.")
public final class ScriptsListCommand extends ClientCommand {
    private static final int SCRIPTS_MAX = 10_000;

    public ScriptsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("PATH", "LANGUAGE", "DEPLOYED?", "HASH?");
        printList(
                client.list(ApiPath.of("/scripts"), SCRIPTS_MAX),
                "No script is deployed. Deploy one with: " + Launcher.NAME + " scripts deploy FILE",
                table,
                script -> table.row(
                        script.path("path").asText(),
                        script.path("language").asText(),
                        Times.text(script.path("create_time").asText()),
                        script.path("hash").asText()));
        return ExitCode.OK;
    }
}
