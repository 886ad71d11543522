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

/** {@code millrace flows list}: lists the current versions. */
@Command(name = "list", description = "List deployed flows.")
public final class FlowsListCommand extends ClientCommand {
    private static final int FLOWS_MAX = 10_000;

    public FlowsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("PATH", "DIALECT", "DEPLOYED?", "HASH?");
        printList(
                client.list(ApiPath.of("/flows"), FLOWS_MAX),
                "No flow is deployed. Deploy one with: " + Launcher.NAME + " flows deploy FILE",
                table,
                flow -> table.row(
                        flow.path("path").asText(),
                        flow.path("dialect").asText(),
                        Times.text(flow.path("create_time").asText()),
                        flow.path("hash").asText()));
        return ExitCode.OK;
    }
}
